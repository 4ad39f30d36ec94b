/** Speech and sound that is kept. */
import type { MediaItem, mediaMakingRoutes, SpeechWish } from '@atrium/contract/media-gallery'
import type { UsableCapability } from '../../../core/connections/index.ts'
import type { Caller, Context, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { soundTypeOf } from '../../../providers/operations/media-type.ts'
import { toWav } from '../../../providers/operations/wav.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { itemsOf, type MediaJobContext } from './context.ts'
import { type InChat, makeMedia } from './make.ts'
import { requireModel, requireNone } from './models.ts'
import { soundIssues, speechIssues } from './options.ts'
import { factsOf } from './pictures.ts'
import type { MediaJobRow } from './tables.ts'

const maxSpeechBytes = 128 * 1024 * 1024

export const soundHandlers = (
  context: MediaJobContext,
): Handlers<Pick<typeof mediaMakingRoutes, 'generateSpeech' | 'generateSound'>> => ({
  async generateSpeech({ body }, request) {
    const usable = await requireModel(context, request.caller.accountId, 'tts', body)
    return await onlyItem(context, await makeSpeech(usable, context, request, body))
  },

  async generateSound({ body }, request) {
    const { accountId, token } = request.caller
    const usable = await requireModel(context, accountId, 'audio', body)
    requireNone(soundIssues(body, usable.config))
    const { model, pluginId, prompt, ...options } = body
    const making = {
      kind: 'sound',
      model,
      pluginId,
      prompt,
      options: factsOf({ mode: 'sound', ...options }),
      asked: body,
    } as const
    const row = await makeMedia(context, request, making, async (signal, heard) => {
      const { bytes, transcript } = await usable.call({ prompt, ...options }, signal, {
        tokenId: token?.id ?? null,
        heard,
      })
      const metadata = factsOf({ mode: 'sound', voice: options.voice, transcript: transcript ?? undefined })
      return { items: [{ kind: 'audio', content: bytes, metadata }], missing: null }
    })
    return await onlyItem(context, row)
  },
})

/** Has a text read aloud, and keeps it. */
export async function makeSpeech(
  usable: UsableCapability<'tts'>,
  context: MediaJobContext,
  request: Pick<Context<Caller>, 'caller' | 'header' | 'signal'>,
  body: SpeechWish,
  inChat?: InChat,
): Promise<MediaJobRow> {
  const { token } = request.caller
  requireNone(speechIssues(body, usable.config))
  const { model, pluginId, input, voice, responseFormat, speed } = body
  const ask = { text: input, voice, format: responseFormat, speed }
  const options = factsOf({ mode: 'speech', voice, responseFormat, speed })
  const making = { kind: 'speech', model, pluginId, prompt: input, options, asked: body, inChat } as const
  return await makeMedia(context, request, making, async (signal) => {
    const { body: sound, format } = await usable.call(ask, signal, { tokenId: token?.id ?? null })
    const content = asFile(await collect(sound), format)
    return { items: [{ kind: 'audio', content, metadata: factsOf({ mode: 'speech', voice, format }) }], missing: null }
  })
}

/** All of a sound. */
async function collect(sound: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of sound) {
    length += piece.byteLength
    if (length > maxSpeechBytes)
      throw new ProviderFailure('too_large', 'The speech of the provider is larger than Atrium takes.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Bare samples become a file that plays. */
const asFile = (bytes: Uint8Array, format: string): Uint8Array =>
  format === 'pcm' && soundTypeOf(bytes) === null ? toWav(bytes) : bytes

/** The item of a job that makes one; it may be in the trash by now. */
async function onlyItem(context: MediaJobContext, row: MediaJobRow): Promise<MediaItem> {
  const [item] = await itemsOf(context, row)
  if (!item) throw fail('media_not_found')
  return item
}
