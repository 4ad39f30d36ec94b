/** Pictures that answers name: fetched here once a person asks, so that the browser talks to no other origin. */
import type { chatRoutes } from '@atrium/contract/chat'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { OutboundFailure, type OutboundResponse } from '../../../platform/outbound/types.ts'
import type { ChatContext } from '../context.ts'
import { isTooLarge, readHead } from '../../../platform/formats/picture/head.ts'

const maxBytes = 10 * 1024 * 1024

export const pictureHandlers = (context: ChatContext): Handlers<Pick<typeof chatRoutes, 'picture'>> => ({
  async picture({ body: asked }, { signal }) {
    const url = await context.elsewhere.check(asked.url)
    const body = await collect(context, url, signal).catch((error: unknown) => {
      if (!(error instanceof OutboundFailure)) throw error
      if (error.kind === 'too-large') throw fail('too_large', 'This image is larger than 10 MB.')
      throw fail('provider_unreachable', 'The image couldn’t be loaded from its server.')
    })
    const facts = readHead(body)
    if (!facts) throw fail('attachment_unsupported', 'This isn’t a PNG, JPEG, WebP or GIF image.')
    if (isTooLarge(facts)) throw fail('too_large', 'This image has too many pixels to display.')
    return { body, mediaType: facts.mediaType, fileName: 'picture', disposition: 'inline' }
  },
})

const collect = async (
  context: ChatContext,
  url: Awaited<ReturnType<ChatContext['elsewhere']['check']>>,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  const answer: OutboundResponse = await context.elsewhere.request(url, {
    method: 'GET',
    headers: { accept: 'image/png,image/jpeg,image/webp,image/gif' },
    signal,
    headersMs: 10_000,
    idleMs: 10_000,
    maxBytes,
  })
  if (answer.status !== 200) {
    answer.discard()
    throw fail('provider_failed', `The image’s server responded with ${answer.status}.`)
  }
  const pieces: Uint8Array[] = []
  for await (const piece of answer.body) pieces.push(piece)
  return Buffer.concat(pieces)
}
