/**
 * Visits: what the secret of a link is exchanged for. A visit names its link and its end and is signed with the key of
 * the instance; it is stored nowhere, and good only as long as its link works.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { fail } from '../../../platform/http/refusal.ts'
import type { ChatContext } from '../context.ts'
import type { LiveLink } from '../stores/links.ts'

const visitMs = 3600_000

/** So many wrong passwords a link takes in an hour. */
const mostTries = 20
const triesMs = 3600_000

export const linkPrefix = 'atc_'
/** Whether a text can be the secret of a link at all. */
const isSecret = (text: string): boolean => /^atc_[A-Za-z0-9_-]{43}$/.test(text)
export const digestOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export type VisitContext = Pick<ChatContext, 'vault' | 'clock' | 'store' | 'linksAllowed' | 'passwords'>

const sign = ({ vault }: VisitContext, linkId: string, until: number): string =>
  vault.blindIndex('chat.link-visit', `${linkId} ${until}`)

/**
 * Begins a visit; null where a password is asked for and none was given. Refuses with `chat_link_not_found` for every
 * secret that is none, whatever it was, and with `chat_link_password` and `chat_link_locked`.
 */
export const beginVisit = async (
  context: VisitContext,
  secret: string,
  password: string | undefined,
): Promise<{ visit: string; until: number; accountId: string } | null> => {
  const now = context.clock.now()
  const isThere = isSecret(secret) && (await context.linksAllowed())
  const found = isThere ? await context.store.links.findBySecret(digestOfSecret(secret), now) : null
  if (!found) throw fail('chat_link_not_found')
  const { link } = found
  if (link.password !== null) {
    if (password === undefined) return null
    // Counted before it is compared: many at a time try no more than one after the other.
    if (!(await context.store.links.takeTry(link.id, now, now - triesMs, mostTries))) throw fail('chat_link_locked')
    if (!(await context.passwords.verify(password, link.password))) throw fail('chat_link_password')
    await context.store.links.returnTry(link.id)
  }
  const until = Math.min(now + visitMs, link.expires_at)
  return { visit: `${link.id}.${until}.${sign(context, link.id, until)}`, until, accountId: link.account_id }
}

export interface OpenVisit extends LiveLink {
  /** Its end, in ms since 1970. */
  readonly until: number
}

/** What a visit shows now. Refuses with `chat_link_not_found` where it is over, its link is gone, or it never was one. */
export const requireVisit = async (context: VisitContext, visit: string): Promise<OpenVisit> => {
  const [, id, end, mac] = /^([\w-]{1,100})\.(\d{1,16})\.([0-9a-f]{16,128})$/.exec(visit) ?? []
  if (id === undefined || end === undefined || mac === undefined) throw fail('chat_link_not_found')
  if (!isSame(mac, sign(context, id, Number(end)))) throw fail('chat_link_not_found')
  return await openUntil(context, id, Number(end))
}

/** What a link shows now, to whoever may see it until a time. Refuses with `chat_link_not_found`. */
export const openUntil = async (context: VisitContext, linkId: string, until: number): Promise<OpenVisit> => {
  const now = context.clock.now()
  if (until <= now || !(await context.linksAllowed())) throw fail('chat_link_not_found')
  const found = await context.store.links.findById(linkId, now)
  if (!found) throw fail('chat_link_not_found')
  return { ...found, until }
}

export const isSame = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
