/** Tickets for WebSockets: each opens one, for one audience, once, while the session that asked for it lasts. */
import { randomBytes } from 'node:crypto'
import type { SocketAudience } from '@atrium/contract/accounts'
import type { Clock } from '../../../platform/clock.ts'
import type { TicketHolder } from '../../../platform/http/index.ts'
import { digestOf } from '../sessions/token-cache.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { TicketStore } from './store.ts'

export interface SocketTickets {
  /** For half a minute. Refuses with `rate_limited` when too many wait. */
  issue(
    session: { readonly accountId: string; readonly sessionId: string },
    audience: SocketAudience,
  ): Promise<{ ticket: string; expiresAt: number }>
  /** Whom a ticket stands for; it is gone afterwards, whatever comes of it. null for nobody. */
  redeem(ticket: string, audience: string): Promise<TicketHolder | null>
}

const ticketMs = 30_000

export const createSocketTickets = (deps: { store: TicketStore; sessions: Sessions; clock: Clock }): SocketTickets => {
  const { store, sessions, clock } = deps
  const callerOf = async (sessionId: string, accountId: string) => {
    const who = await sessions.callerOf(sessionId)
    return who?.accountId === accountId ? { ...who, via: 'bearer' as const } : null
  }
  return {
    async issue({ accountId, sessionId }, audience) {
      const ticket = randomBytes(32).toString('base64url')
      const now = clock.now()
      const row = { ticket_digest: digestOf(ticket), account_id: accountId, session_id: sessionId }
      await store.insert({ ...row, audience, expires_at: now + ticketMs }, now)
      return { ticket, expiresAt: now + ticketMs }
    },

    async redeem(ticket, audience) {
      if (!/^[A-Za-z0-9_-]{43}$/.test(ticket)) return null
      const row = await store.take(digestOf(ticket))
      if (!row || row.audience !== audience || row.expires_at <= clock.now()) return null
      const caller = await callerOf(row.session_id, row.account_id)
      if (!caller) return null
      return {
        caller,
        issuedAt: row.expires_at - ticketMs,
        // Read anew: the session may have ended since, and the rights may have changed.
        stands: async () => (await callerOf(row.session_id, row.account_id))?.role === caller.role,
      }
    },
  }
}
