/**
 * Visits: what the secret of a link is exchanged for. A visit names its link and its end and is signed with the key of
 * the instance; it is stored nowhere, and good only as long as its link works and asks for the same password.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ErrorCode } from '@atrium/contract/errors'
import { fail } from '../../../platform/http/refusal.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Accounts } from '../../accounts/index.ts'
import type { LinkRow, LinkStore } from './store.ts'

const visitMs = 3600_000

/** So many wrong passwords a link takes in an hour. */
const mostTries = 20
const triesMs = 3600_000

/** A link that works now, and what its area shows by it. */
interface LiveLink<Row extends LinkRow> {
  readonly link: Row
}

/** Live, and the end of the visit, in ms since 1970. */
export type OpenVisit<Live> = Live & { readonly until: number }

interface VisitDeps<Row extends LinkRow, Live extends LiveLink<Row>> extends Pick<Platform, 'clock' | 'vault'> {
  /** Begins every secret of this kind of link. */
  readonly prefix: string
  /** What visits of it are signed for. */
  readonly purpose: string
  readonly refusals: { readonly missing: ErrorCode; readonly password: ErrorCode; readonly locked: ErrorCode }
  /** Whether links of this account's things may be used. */
  readonly isAllowed: (ownerId: string) => Promise<boolean>
  readonly passwords: Pick<Accounts['passwords'], 'verify'>
  readonly store: Pick<LinkStore<Row>, 'takeTry' | 'returnTry'>
  /** The link that works now and has this id, or this digest of its secret. */
  readonly find: (column: 'id' | 'secret_digest', value: string, now: number) => Promise<Live | null>
}

export type Visits<Row extends LinkRow, Live extends LiveLink<Row>> = ReturnType<typeof createVisits<Row, Live>>

export const createVisits = <Row extends LinkRow, Live extends LiveLink<Row>>(deps: VisitDeps<Row, Live>) => {
  const { clock, find, isAllowed, passwords, prefix, purpose, refusals, store, vault } = deps
  const secretForm = new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`)
  const missing = () => fail(refusals.missing)
  const sign = ({ id, password }: Row, until: number): string =>
    vault.blindIndex(purpose, password === null ? `${id} ${until}` : `${id} ${until} ${password}`)

  /** What a link shows now, to whoever may see it until a time. Refuses with `missing`. */
  const openUntil = async (linkId: string, until: number): Promise<OpenVisit<Live>> => {
    const now = clock.now()
    const found = until <= now ? null : await find('id', linkId, now)
    if (!found || !(await isAllowed(found.link.account_id))) throw missing()
    return { ...found, until }
  }

  return {
    openUntil,

    /** A new secret, and the digest by which it is found. */
    makeSecret(): { readonly secret: string; readonly digest: string } {
      const secret = `${prefix}${randomBytes(32).toString('base64url')}`
      return { secret, digest: digestOf(secret) }
    },

    /**
     * Begins a visit; null where a password is asked for and none was given. Refuses with `missing` for every secret that
     * is none, whatever it was, and with `password` and `locked`.
     */
    async begin(secret: string, password: string | undefined) {
      const now = clock.now()
      const found = secretForm.test(secret) ? await find('secret_digest', digestOf(secret), now) : null
      if (!found || !(await isAllowed(found.link.account_id))) throw missing()
      const { link } = found
      if (link.password !== null) {
        if (password === undefined) return null
        // Counted before it is compared: many at a time try no more than one after the other.
        if (!(await store.takeTry(link.id, now, now - triesMs, mostTries))) throw fail(refusals.locked)
        if (!(await passwords.verify(password, link.password))) throw fail(refusals.password)
        await store.returnTry(link.id)
      }
      const until = Math.min(now + visitMs, link.expires_at)
      return { visit: `${link.id}.${until}.${sign(link, until)}`, until, live: found }
    },

    /** What a visit shows now. Refuses with `missing` where it is over, its link is gone, or it never was one. */
    async require(visit: string): Promise<OpenVisit<Live>> {
      const [, id, end, mac] = /^([\w-]{1,100})\.(\d{1,16})\.([0-9a-f]{16,128})$/.exec(visit) ?? []
      if (id === undefined || end === undefined || mac === undefined) throw missing()
      const open = await openUntil(id, Number(end))
      if (!isSame(mac, sign(open.link, Number(end)))) throw missing()
      return open
    },
  }
}

const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Compares in a time that tells nothing. */
export const isSame = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
