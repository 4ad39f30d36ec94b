/** Tickets for WebSockets that wait to be used. */
import type { Migration } from '../../../platform/db/types.ts'

export interface SocketTicketRow {
  /** SHA-256 of the ticket, hex. The ticket itself is nowhere. */
  ticket_digest: string
  account_id: string
  session_id: string
  audience: string
  expires_at: number
}

export interface TicketTables {
  socket_tickets: SocketTicketRow
}

export const ticketMigrations: readonly Migration[] = [
  {
    id: 'tickets/0001-socket-tickets',
    up: ({ text, int }) => [
      `create table socket_tickets (
        ticket_digest ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        session_id ${text} not null references auth_sessions (id) on delete cascade,
        audience ${text} not null,
        expires_at ${int} not null
      )`,
      'create index socket_tickets_account on socket_tickets (account_id)',
    ],
  },
]
