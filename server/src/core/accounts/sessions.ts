/** Live sessions: made, recognised, ended. An ended session is gone at once, in every process and on open streams. */
import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import type { Caller } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Log } from '../../platform/log/log.ts'
import { isTokenShaped, tokenPrefix } from './rules.ts'
import type { SessionStore, Standing, Which } from './session-store.ts'
import { createWatch, type Watch } from './watch.ts'

/** A caller, before it is known how the token travelled. */
export type Authenticated = Omit<Caller, 'via'>

export interface Sessions {
  /** `credential`: the stored hash that was checked. null when it was changed, or the account disabled, meanwhile. */
  start(
    accountId: string,
    kind: 'password' | 'signup',
    userAgent: string | null,
    credential: Uint8Array | null,
  ): Promise<{ token: string; expiresAt: number } | null>
  /** Who holds this token; null for nobody. Refuses accounts that wait or are disabled. */
  authenticate(token: string): Promise<Authenticated | null>
  /** Ends sessions of an account; gives how many. */
  end(accountId: string, which: Which): Promise<number>
  /** After sessions were ended by a transaction of somebody else: makes it known everywhere. */
  ended(accountId: string, sessionIds: readonly string[]): Promise<void>
  readonly watch: Watch['watch']
  readonly onEnded: Watch['onEnded']
  close(): void
}

const touchMs = 60_000
/** How long a recognised session is believed without asking again; on the same machine news is faster than that. */
const believedMs = 5_000
const believedCount = 5_000
const channel = 'sessions-ended'
const idsPerMessage = 100

export const createSessions = (deps: {
  database: Database
  store: SessionStore
  clock: Clock
  log: Log
  sessionDays: number
}): Sessions => {
  const { database, store, clock, log } = deps
  const watch = createWatch(clock)
  const believed = new Map<string, Standing & { readAt: number; lastSeenAt: number }>()
  /** Counts what became invalid, so that a row read before is not believed after. */
  let endings = 0

  const forget = (accountId: string, sessionIds: readonly string[]): void => {
    endings++
    for (const [digest, standing] of believed) if (standing.accountId === accountId) believed.delete(digest)
    for (const sessionId of sessionIds) watch.end(sessionId)
  }
  const stopListening = database.listen(
    channel,
    (payload) => {
      const [accountId = '', ...sessionIds] = payload.split(' ')
      forget(accountId, sessionIds)
    },
    () => {
      // Endings may have been missed: nobody is believed, and streams have to show their token again.
      endings++
      believed.clear()
      watch.endAll()
    },
  )

  const recognise = async (digest: string): Promise<Standing | null> => {
    const known = believed.get(digest)
    if (known && clock.now() - known.readAt < believedMs) return known
    const before = endings
    const standing = await store.byDigest(digest)
    if (standing && before === endings) {
      believed.delete(digest)
      believed.set(digest, { ...standing, readAt: clock.now() })
      if (believed.size > believedCount) for (const [oldest] of [...believed].slice(0, 500)) believed.delete(oldest)
    }
    return standing
  }

  /** Written at most once a minute; nobody waits for it. */
  const touch = (digest: string, standing: Standing): void => {
    const now = clock.now()
    if (now - standing.lastSeenAt < touchMs) return
    const known = believed.get(digest)
    if (known) known.lastSeenAt = now
    void store
      .touch(standing.sessionId, now)
      .catch((error: unknown) => log.warn('the time of last activity could not be stored', { error }))
  }

  const ended = async (accountId: string, sessionIds: readonly string[]): Promise<void> => {
    forget(accountId, sessionIds)
    for (let from = 0; from === 0 || from < sessionIds.length; from += idsPerMessage) {
      await database.notify(channel, [accountId, ...sessionIds.slice(from, from + idsPerMessage)].join(' '))
    }
  }

  return {
    async start(accountId, kind, userAgent, credential) {
      const token = `${tokenPrefix}${randomBytes(32).toString('base64url')}`
      const now = clock.now()
      const expiresAt = now + deps.sessionDays * 24 * 3600_000
      const row = { id: clock.id(), account_id: accountId, token_digest: digestOf(token), kind, userAgent }
      const isStored = await store.insert({ ...row, created_at: now, expires_at: expiresAt }, credential)
      return isStored ? { token, expiresAt } : null
    },

    async authenticate(token) {
      if (!isTokenShaped(token)) return null
      const digest = digestOf(token)
      const standing = await recognise(digest)
      if (!standing) return null
      if (standing.status === 'disabled') throw fail('account_disabled')
      if (standing.revokedAt !== null || standing.expiresAt <= clock.now()) return null
      if (standing.status === 'pending') throw fail('account_pending')
      watch.expiresAt(standing.sessionId, standing.expiresAt)
      touch(digest, standing)
      return { accountId: standing.accountId, sessionId: standing.sessionId, role: standing.role }
    },

    async end(accountId, which) {
      const sessionIds = await store.endNow(accountId, which, clock.now())
      await ended(accountId, sessionIds)
      return sessionIds.length
    },

    ended,
    watch: watch.watch,
    onEnded: watch.onEnded,
    close() {
      stopListening()
      watch.close()
    },
  }
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')
