/** When a reminder whose event or terms changed is due: not known yet. */
import { type RawBuilder, sql } from 'kysely'

/**
 * What `next_at` becomes where it is to be reckoned: below 0, and never what it was. Whoever reads the row, and reckons
 * by what the event was before one more change, does not find that value any more.
 */
export const reckonAgain = (now: number): RawBuilder<number> =>
  sql<number>`case when calendar_reminders.next_at <= ${-now} then calendar_reminders.next_at - 1 else ${-now} end`
