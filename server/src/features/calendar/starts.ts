/** Which events begin when, for whoever waits for that. */
import { callerOf } from '../../platform/http/on-behalf.ts'
import { isRefusal } from '../../platform/http/refusal.ts'
import type { CalendarContext } from './context.ts'
import { reachOf } from './events.ts'
import { occurrencesIn } from './series/occurrences.ts'

/** An occurrence that begins; times are integer milliseconds. */
export interface CalendarStart {
  readonly eventId: string
  /** Of the occurrence, within its event. */
  readonly occurrence: number
  readonly title: string
  readonly place: string
  readonly startAt: number
  readonly endAt: number
  /** The chat in which a model made it; null: a person did. */
  readonly chatId: string | null
}

const mostListed = 500

/** The chat in which a model made an event; null: a person did, or it is gone. */
export const chatOfEvent = async ({ events }: CalendarContext, eventId: string): Promise<string | null> =>
  (await events.readMany([eventId]))[0]?.content.fromChat ?? null

/**
 * Occurrences that begin within a range, by their start, in one calendar or in all that an account reads; what floats, in
 * its zone. null: it reads the calendar no more.
 */
export const startsIn = async (
  context: CalendarContext,
  accountId: string,
  calendarId: string | null,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly CalendarStart[] | null> => {
  const zone = (await context.zoneOf(accountId)) ?? 'UTC'
  try {
    const reach = await reachOf(context, callerOf(accountId), calendarId ?? undefined)
    const found = await context.events.inRange(reach, from, to, mostListed)
    return found
      .flatMap(({ id, content }) =>
        occurrencesIn(content, from, to, zone)
          .filter(({ startAt }) => startAt >= from && startAt < to)
          .map(({ of, startAt, endAt, change }) => ({
            eventId: id,
            occurrence: of,
            title: change?.title ?? content.title,
            place: change?.place ?? content.place,
            startAt,
            endAt,
            chatId: content.fromChat ?? null,
          })),
      )
      .toSorted((a, b) => a.startAt - b.startAt)
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}
