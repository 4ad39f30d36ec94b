/** Tokens of directories: created, replaced and revoked by administrators, and authenticated. */
import { hash, randomBytes } from 'node:crypto'
import type { scimRoutes } from '@atrium/contract/scim'
import { type Audit, actorOf } from '../../platform/audit/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Handlers, Provisioner } from '../../platform/http/area.ts'
import type { Log } from '../../platform/log/log.ts'
import type { ScimStore } from './store.ts'

type Names = 'tokens' | 'createToken' | 'rotateToken' | 'revokeToken'

const prefix = 'atd_'
const isShaped = (text: string): boolean => /^atd_[A-Za-z0-9_-]{43}$/.test(text)
const shownPrefixLength = 12
const dayMs = 24 * 3600_000
const touchMs = 60_000
const target = (id: string) => ({ type: 'scim-token', id })

export const createScimTokens = ({
  store,
  clock,
  audit,
  log,
}: {
  store: ScimStore
  clock: Clock
  audit: Audit
  log: Log
}): {
  handlers: Pick<Handlers<typeof scimRoutes>, Names>
  /** Which directory shows this token; null for none. */
  authenticate(bearer: string): Promise<Provisioner | null>
} => ({
  handlers: {
    tokens: async () => ({ items: await store.list(), nextCursor: null }),

    async createToken({ body: { name, expiresInDays = null } }, context) {
      const [token, now] = [newToken(), clock.now()]
      const record = await store.insert({
        id: clock.id(),
        name,
        token_digest: digestOf(token),
        prefix: token.slice(0, shownPrefixLength),
        created_at: now,
        expires_at: expiresInDays === null ? null : now + expiresInDays * dayMs,
      })
      const details = { source: 'scim', expiresInDays }
      await audit.record({ ...actorOf(context), action: 'token.create', target: target(record.id), details })
      return { token, record }
    },

    async rotateToken({ params: { id } }, context) {
      const token = newToken()
      const record = await store.replace(id, digestOf(token), token.slice(0, shownPrefixLength))
      const details = { source: 'scim', rotated: true }
      await audit.record({ ...actorOf(context), action: 'token.update', target: target(id), details })
      return { token, record }
    },

    async revokeToken({ params: { id } }, context) {
      await store.remove(id)
      const details = { source: 'scim' }
      await audit.record({ ...actorOf(context), action: 'token.revoke', target: target(id), details })
      return {}
    },
  },

  async authenticate(bearer) {
    if (!isShaped(bearer)) return null
    const found = await store.byDigest(digestOf(bearer))
    const now = clock.now()
    if (!found || (found.expires_at !== null && found.expires_at <= now)) return null
    if (found.last_used_at === null || now - found.last_used_at >= touchMs)
      // Nobody waits for it.
      void store
        .touch(found.id, now)
        .catch((error: unknown) => log.warn('the time of last use could not be stored', { error }))
    return { tokenId: found.id }
  },
})

const newToken = (): string => `${prefix}${randomBytes(32).toString('base64url')}`
const digestOf = (token: string): string => hash('sha256', token, 'hex')
