/** Live sessions: made, recognised, ended. An ended session is gone at once, in every process and on open streams. */
import { randomBytes } from 'node:crypto'
import type { SessionKind } from '@atrium/contract/accounts'
import type { Clock } from '../../../platform/clock.ts'
import type { Caller } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Log } from '../../../platform/log/log.ts'
import { createTokenCache, digestOf } from './token-cache.ts'
import type { Revocations } from './revocations.ts'
import { endOf, type SessionPolicySetting } from './policy.ts'
import { isSessionShaped, sessionPrefix } from '../rules.ts'
import type { SessionStore, AuthenticatedSession, SessionSelection } from './store.ts'

/** By what, and from where, a session begins. */
export interface SessionOrigin {
  readonly userAgent: string | null
  readonly address: string
}

/** A caller, before it is known how the token travelled. */
export type AuthenticatedCaller = Omit<Caller, 'via'>

export interface Sessions {
  /**
   * `credential`: the stored hash that was checked. `upstream`: the index of the session elsewhere that it began from.
   * Where there are too many, those that were used longest ago end: `ended`. null when the password was changed, or the
   * account disabled, meanwhile.
   */
  start(
    accountId: string,
    kind: SessionKind,
    from: SessionOrigin,
    credential: Uint8Array | null,
    upstream: string | null,
  ): Promise<{ id: string; token: string; expiresAt: number; ended: readonly string[] } | null>
  /** Who holds this session, used from an address; null for nobody. Refuses accounts that wait or are disabled. */
  authenticate(token: string, address?: string): Promise<AuthenticatedCaller | null>
  /** Who holds the session of this id, read anew; null when it is over, or its account may not come in. */
  callerOf(sessionId: string): Promise<AuthenticatedCaller | null>
  /** Ends sessions of an account; gives how many. */
  end(accountId: string, which: SessionSelection): Promise<number>
}

/** How often the time of last activity is written. */
export const touchMs = 60_000

export const createSessions = (deps: {
  store: SessionStore
  revocations: Revocations
  clock: Clock
  log: Log
  policy: SessionPolicySetting
}): Sessions => {
  const { store, revocations, clock, log, policy } = deps
  const findByToken = createTokenCache({ clock, revocations, read: store.byDigest })

  /** Written at most once a minute; nobody waits for it. */
  const touch = (session: AuthenticatedSession, address: string): void => {
    const now = clock.now()
    if (now - session.lastSeenAt < touchMs) return
    session.lastSeenAt = now
    void store
      .touch(session, now, address)
      .catch((error: unknown) => log.warn('the time of last activity could not be stored', { error }))
  }

  return {
    async start(accountId, kind, { userAgent, address }, credential, upstream) {
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
        address,
        upstream_index: upstream,
      }
      const ended = await store.insert({ ...row, created_at: now, expires_at: expiresAt }, credential)
      if (!ended) return null
      if (ended.length > 0) await revocations.publish(accountId, ended)
      return { id, token, expiresAt, ended }
    },

    async authenticate(token, address = '') {
      if (!isSessionShaped(token)) return null
      const session = await findByToken(token)
      if (!session) return null
      if (session.status === 'disabled') throw fail('account_disabled')
      const over = endOf(session, await policy.lifetimes())
      if (session.revokedAt !== null || over <= clock.now()) return null
      if (session.status === 'pending') throw fail('account_pending')
      revocations.expiresAt(session.sessionId, over)
      touch(session, address)
      return { accountId: session.accountId, sessionId: session.sessionId, role: session.role, token: null }
    },

    async callerOf(sessionId) {
      const session = await store.byId(sessionId)
      if (!session || session.status !== 'active' || session.revokedAt !== null) return null
      const over = endOf(session, await policy.lifetimes())
      if (over <= clock.now()) return null
      revocations.expiresAt(sessionId, over)
      return { accountId: session.accountId, sessionId, role: session.role, token: null }
    },

    async end(accountId, which) {
      const sessionIds = await store.endNow(accountId, which, clock.now())
      await revocations.publish(accountId, sessionIds)
      return sessionIds.length
    },
  }
}
