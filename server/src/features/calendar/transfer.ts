/** How a calendar gets another owner: with its events, as its readers see them. */
import type { Transferable } from '../../core/resources/index.ts'
import { announceChange, type CalendarContext } from './context.ts'

export const calendarTransfer = (context: CalendarContext): Transferable['transfer'] => ({
  // Calendars take no room that is counted.
  bytes: async () => 0,
  async prepare(id, sides) {
    return {
      async commit(trx) {
        await context.transfers.move(trx, id, sides)
        return [{ type: 'calendar', id }]
      },
      async done() {
        for (const accountId of [sides.fromId, sides.toId]) await announceChange(context, accountId, [id])
      },
      discard: async () => undefined,
    }
  },
  finish: context.transfers.finish,
})
