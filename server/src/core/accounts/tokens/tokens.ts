/** API tokens: made, recognised, changed, revoked. A revoked token is gone at once, everywhere, as a session is. */
import { randomBytes } from 'node:crypto'
import type { ApiToken } from '@atrium/contract/authentication'
import type { Clock } from '../../../platform/clock.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Log } from '../../../platform/log/log.ts'
import { createBelief, digestOf } from '../sessions/belief.ts'
import type { Endings } from '../sessions/endings.ts'
import { apiTokenPrefix, isApiTokenShaped, shownLength } from '../rules.ts'
import { type Authenticated, touchMs } from '../sessions/sessions.ts'
import type { NewToken, TokenChange, TokenStore } from './store.ts'

export interface Tokens {
  /** Makes a token and gives it, this once. Refuses with `token_limit`. */
  create(
    accountId: string,
    wish: Pick<NewToken, 'name' | 'scopes' | 'models' | 'ratePerMinute'> & { expiresInDays: number | null },
  ): Promise<{ token: string; record: ApiToken }>
  /** Refuses with `token_not_found`. What may be done less stops at once. */
  update(accountId: string, tokenId: string, change: TokenChange): Promise<ApiToken>
  /** Refuses with `token_not_found`. */
  revoke(accountId: string, tokenId: string): Promise<void>
  /** Whom this token stands for; null for nobody. Refuses accounts that wait or are disabled. */
  authenticate(token: string): Promise<Authenticated | null>
}

const dayMs = 24 * 3600_000

export const createTokens = (deps: { store: TokenStore; endings: Endings; clock: Clock; log: Log }): Tokens => {
  const { store, endings, clock, log } = deps
  const recognise = createBelief({ clock, endings, read: store.byDigest })

  return {
    async create(accountId, { expiresInDays, ...wish }) {
      const token = `${apiTokenPrefix}${randomBytes(32).toString('base64url')}`
      const now = clock.now()
      const record = await store.insert({
        ...wish,
        id: clock.id(),
        accountId,
        digest: digestOf(token),
        prefix: token.slice(0, shownLength),
        createdAt: now,
        expiresAt: expiresInDays === null ? null : now + expiresInDays * dayMs,
      })
      return { token, record }
    },

    async update(accountId, tokenId, change) {
      const record = await store.update(accountId, tokenId, change, clock.now())
      if (!record) throw fail('token_not_found')
      const isNarrowed = change.scopes !== undefined || change.models !== undefined
      // Streams that are open under the old terms have to come again.
      await endings.tell(accountId, isNarrowed ? [tokenId] : [])
      return record
    },

    async revoke(accountId, tokenId) {
      if (!(await store.revoke(accountId, tokenId, clock.now()))) throw fail('token_not_found')
      await endings.tell(accountId, [tokenId])
    },

    async authenticate(token) {
      if (!isApiTokenShaped(token)) return null
      const standing = await recognise(token)
      if (!standing) return null
      const now = clock.now()
      if (standing.revokedAt !== null || (standing.expiresAt !== null && standing.expiresAt <= now)) return null
      if (standing.status === 'disabled') throw fail('account_disabled')
      if (standing.status === 'pending') throw fail('account_pending')
      const { accountId, role, token: limits } = standing
      if (standing.expiresAt !== null) endings.expiresAt(limits.id, standing.expiresAt)
      if (standing.lastUsedAt === null || now - standing.lastUsedAt >= touchMs) {
        standing.lastUsedAt = now
        void store
          .touch(limits.id, now, touchMs)
          .catch((error: unknown) => log.warn('the time of last use could not be stored', { error }))
      }
      return { accountId, sessionId: limits.id, role, token: limits }
    },
  }
}
