/** Every SQL statement about tickets. */
import type { Database } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { SocketTicketRow, TicketTables } from './tables.ts'

/** So many tickets of an account may wait at a time. */
const mostTickets = 100

export type TicketStore = ReturnType<typeof createTicketStore>

export const createTicketStore = ({ database }: { database: Database }) => ({
  /** Refuses with `rate_limited` when too many wait; those whose time is over go. */
  insert: (row: SocketTicketRow, now: number): Promise<void> =>
    database.write<TicketTables, void>(async (trx) => {
      await trx
        .deleteFrom('socket_tickets')
        .where('account_id', '=', row.account_id)
        .where('expires_at', '<=', now)
        .execute()
      const { count } = await trx
        .selectFrom('socket_tickets')
        .select((by) => by.fn.countAll<number | string>().as('count'))
        .where('account_id', '=', row.account_id)
        .executeTakeFirstOrThrow()
      if (Number(count) >= mostTickets)
        throw fail('rate_limited', 'Too many unused tickets. Use them, or wait half a minute.')
      await trx.insertInto('socket_tickets').values(row).execute()
    }),

  /** Takes a ticket away: of many who ask at the same time, one gets it. */
  async take(digest: string): Promise<SocketTicketRow | null> {
    const row = await database
      .tables<TicketTables>()
      .deleteFrom('socket_tickets')
      .where('ticket_digest', '=', digest)
      .returningAll()
      .executeTakeFirst()
    return row ?? null
  },
})
