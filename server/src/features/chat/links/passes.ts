/**
 * Passes: what a visit is exchanged for where a browser plays a film by itself, which can send an address and no body.
 * A pass stands in an address, so it opens less than a visit does: what was made as one answer, until the visit ends, and
 * only as long as its link works, asks for the same password and shows that answer.
 */
import type { Clock } from '../../../platform/clock.ts'
import type { BytesAnswer } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type OpenVisit, isSame } from '../../../core/access/index.ts'
import type { ChatContext } from '../context.ts'
import type { LiveChatLink } from '../stores/links.ts'

/** A chat that a link shows, and the end of the visit in ms since 1970. */
export type ChatVisit = OpenVisit<LiveChatLink>

type PassContext = Pick<ChatContext, 'vault' | 'linkVisits'>

const sign = ({ vault }: PassContext, { link, until }: ChatVisit, messageId: string): string => {
  const named = `${link.id} ${messageId} ${until}`
  return vault.blindIndex('chat.link-media', link.password === null ? named : `${named} ${link.password}`)
}

export const makePass = (context: PassContext, visit: ChatVisit, messageId: string): string =>
  `${visit.link.id}.${messageId}.${visit.until}.${sign(context, visit, messageId)}`

/** What a pass is for. Refuses with `chat_link_not_found` where it is over, its link is gone, or it never was one. */
export const requirePass = async (
  context: PassContext,
  pass: string,
): Promise<ChatVisit & { readonly messageId: string }> => {
  const [, linkId, messageId, end, mac] =
    /^([\w-]{1,100})\.([\w-]{1,100})\.(\d{1,16})\.([0-9a-f]{16,128})$/.exec(pass) ?? []
  if (linkId === undefined || messageId === undefined || end === undefined || mac === undefined)
    throw fail('chat_link_not_found')
  const visit = await context.linkVisits.openUntil(linkId, Number(end))
  if (!isSame(mac, sign(context, visit, messageId))) throw fail('chat_link_not_found')
  return { ...visit, messageId }
}

/** So long somebody may go on after what they read by is gone. */
const lookMs = 1000

/** The same bytes, cut off where `requireAllowed` refuses: it is asked again for as long as they are read. */
export const whileAllowed = (
  body: BytesAnswer['body'],
  clock: Pick<Clock, 'now'>,
  requireAllowed: () => Promise<void>,
): BytesAnswer['body'] => {
  async function* guard(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    let lookedAt = clock.now()
    for await (const piece of pieces) {
      if (clock.now() - lookedAt >= lookMs) {
        await requireAllowed()
        lookedAt = clock.now()
      }
      yield piece
    }
  }
  if (body instanceof Uint8Array) return body
  if (Symbol.asyncIterator in body) return guard(body)
  return {
    size: body.size,
    read: (start, end) => guard(body.read(start, end)),
    lend: (start, end) => guard(body.lend?.(start, end) ?? body.read(start, end)),
  }
}
