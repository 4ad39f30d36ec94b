/** An event by its id. */
import { fail } from '../../platform/http/refusal.ts'
import type { CalendarContext } from './context.ts'
import type { StoredEvent } from './stores/events.ts'

/** Refuses with `event_not_found`. Who may read it was asked before. */
export const readEvent = async ({ events }: Pick<CalendarContext, 'events'>, id: string): Promise<StoredEvent> => {
  const [event] = await events.readMany([id])
  if (!event) throw fail('event_not_found')
  return event
}
