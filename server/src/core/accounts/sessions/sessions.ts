/** Live sessions: made, recognised, ended. An ended session is gone at once, in every process and on open streams. */
import { randomBytes } from 'node:crypto'
import type { SessionKind } from '@atrium/contract/authentication'
import type { Clock } from '../../../platform/clock.ts'
import type { Caller } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Log } from '../../../platform/log/log.ts'
import { createBelief, digestOf } from './token-cache.ts'
import type { Endings } from './revocations.ts'
import { endOf, type Policy } from './policy.ts'
import { isSessionShaped, sessionPrefix } from '../rules.ts'
import type { SessionStore, Standing, Which } from './store.ts'

/** A caller, before it is known how the token travelled. */
export type Authenticated = Omit<Caller, 'via'>

export interface Sessions {
  /**
   * `credential`: the stored hash that was checked. `upstream`: the index of the session elsewhere that it began from.
   * Where there are too many, those that were used longest ago end: `ended`. null when the password was changed, or the
   * account disabled, meanwhile.
   */
  start(
    accountId: string,
    kind: SessionKind,
    userAgent: string | null,
    credential: Uint8Array | null,
    upstream: string | null,
  ): Promise<{ id: string; token: string; expiresAt: number; ended: readonly string[] } | null>
  /** Who holds this session; null for nobody. Refuses accounts that wait or are disabled. */
  authenticate(token: string): Promise<Authenticated | null>
  /** Who holds the session of this id, read anew; null when it is over, or its account may not come in. */
  standing(sessionId: string): Promise<Authenticated | null>
  /** Ends sessions of an account; gives how many. */
  end(accountId: string, which: Which): Promise<number>
}

/** How often the time of last activity is written. */
export const touchMs = 60_000

export const createSessions = (deps: {
  store: SessionStore
  endings: Endings
  clock: Clock
  log: Log
  policy: Policy
}): Sessions => {
  const { store, endings, clock, log, policy } = deps
  const recognise = createBelief({ clock, endings, read: store.byDigest })

  /** Written at most once a minute; nobody waits for it. */
  const touch = (standing: Standing): void => {
    const now = clock.now()
    if (now - standing.lastSeenAt < touchMs) return
    standing.lastSeenAt = now
    void store
      .touch(standing.sessionId, now)
      .catch((error: unknown) => log.warn('the time of last activity could not be stored', { error }))
  }

  return {
    async start(accountId, kind, userAgent, credential, upstream) {
      const token = `${sessionPrefix}${randomBytes(32).toString('base64url')}`
      const now = clock.now()
      const expiresAt = now + (await policy.lifetimes()).absolute
      const id = clock.id()
      const row = {
        id,
        account_id: accountId,
        token_digest: digestOf(token),
        kind,
        userAgent,
        upstream_index: upstream,
      }
      const ended = await store.insert({ ...row, created_at: now, expires_at: expiresAt }, credential)
      if (!ended) return null
      if (ended.length > 0) await endings.tell(accountId, ended)
      return { id, token, expiresAt, ended }
    },

    async authenticate(token) {
      if (!isSessionShaped(token)) return null
      const standing = await recognise(token)
      if (!standing) return null
      if (standing.status === 'disabled') throw fail('account_disabled')
      const over = endOf(standing, await policy.lifetimes())
      if (standing.revokedAt !== null || over <= clock.now()) return null
      if (standing.status === 'pending') throw fail('account_pending')
      endings.expiresAt(standing.sessionId, over)
      touch(standing)
      return { accountId: standing.accountId, sessionId: standing.sessionId, role: standing.role, token: null }
    },

    async standing(sessionId) {
      const standing = await store.byId(sessionId)
      if (!standing || standing.status !== 'active' || standing.revokedAt !== null) return null
      const over = endOf(standing, await policy.lifetimes())
      if (over <= clock.now()) return null
      endings.expiresAt(sessionId, over)
      return { accountId: standing.accountId, sessionId, role: standing.role, token: null }
    },

    async end(accountId, which) {
      const sessionIds = await store.endNow(accountId, which, clock.now())
      await endings.tell(accountId, sessionIds)
      return sessionIds.length
    },
  }
}
