/** What models may do with the calendars of an account: look, make an event, and delete one. */
import {
  type CalendarEvent,
  type calendarRoutes,
  type EventContent as GivenContent,
  mostNotesLetters,
  mostPlaceLetters,
  mostReminders,
  mostRuleLetters,
  mostTitleLetters,
} from '@atrium/contract/calendar'
import { z } from 'zod'
import { idOfCall } from '../../platform/areas/call-id.ts'
import { nameLine } from '../../platform/areas/tool-text.ts'
import { type Tool, type ToolContext, type ToolOutput, defineTool } from '../../platform/areas/tool.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { callFor, callerOf } from '../../platform/http/on-behalf.ts'
import { fail } from '../../platform/http/refusal.ts'
import { dayMs, formatDay, formatWall, parseDay, wallAt } from '../../platform/time/index.ts'
import type { CalendarContext } from './context.ts'
import { instantOf, isDay, timesOf } from './given-times.ts'
import { freeTimeTool, times, When } from './free-busy/tool.ts'
import { makeEvent } from './make-event.ts'
import type { StoredEvent } from './stores/events.ts'

type Used = Pick<Handlers<typeof calendarRoutes>, 'events' | 'freeBusy' | 'removeEvent'>

const mostShown = 100
const shownNotes = 300
const mostGuestsShown = 20

export const calendarTools = (context: CalendarContext, handlers: Used): Tool[] => [
  defineTool({
    name: 'list_calendar_events',
    description:
      'Lists events of the user’s calendars, and of those shared with the user, between two times, by their start; each occurrence of a repeating event by itself. The range is 13 months at most.',
    arguments: z.strictObject({
      from: When.describe(times),
      to: When.describe('The end, in the same form; a day counts whole'),
    }),
    sideEffect: false,
    readsPrivateData: true,
    readsForeignText: true,
    sendsData: false,
    async run({ from, to }, { accountId, signal }) {
      const zone = await context.zoneOf(accountId)
      const [begin, end] = [instantOf(from, zone), instantOf(to, zone) + (isDay(to) ? dayMs : 0)]
      const query = { from: new Date(begin).toISOString(), to: new Date(end).toISOString(), timeZone: zone ?? 'UTC' }
      const { items, truncated } = await callFor({ accountId, signal, resource: null }, handlers.events, { query })
      const about = `Times are in ${zone ?? 'UTC, because the user has not set a time zone'}.`
      if (items.length === 0) return { text: `There are no events from ${from} to ${to}. ${about}` }
      const rest = items.length - mostShown
      const more = truncated || rest > 0 ? [`There are more; ask for a shorter range.`] : []
      return { text: [about, ...items.slice(0, mostShown).map((event) => lineOf(event, zone)), ...more].join('\n') }
    },
  }),

  freeTimeTool(context, handlers),

  defineTool({
    name: 'create_calendar_event',
    description:
      'Creates an event in the user’s own calendar. Nobody is invited. Ask the user first when day or time are not clear.',
    arguments: z.strictObject({
      title: z.string().trim().min(1).max(mostTitleLetters),
      start: When.describe(`${times}. A day alone makes it last all day`),
      end: When.optional().describe('In the same form as the start; of an event that lasts all day, its last day'),
      place: z.string().trim().max(mostPlaceLetters).optional(),
      notes: z.string().max(mostNotesLetters).optional(),
      repeat: z
        .string()
        .trim()
        .min(1)
        .max(mostRuleLetters)
        .optional()
        .describe('A rule of RFC 5545 without its name, such as FREQ=WEEKLY;BYDAY=TU'),
      reminders: z
        .array(z.number().int().min(0).max(40_320))
        .max(mostReminders)
        .optional()
        .describe('Minutes before the start'),
    }),
    sideEffect: true,
    readsPrivateData: false,
    readsForeignText: false,
    sendsData: false,
    run: (args, call) => createEvent(context, args, call),
  }),

  defineTool({
    name: 'delete_calendar_event',
    description:
      'Deletes an event that list_calendar_events told the id of; of a repeating event that one occurrence, or all of it. A deleted event stays in the trash for 30 days; a single occurrence does not.',
    arguments: z.strictObject({
      id: z.string().min(1).max(200).describe('As list_calendar_events tells it'),
      all: z.boolean().optional().describe('Delete every occurrence of a repeating event'),
    }),
    sideEffect: true,
    readsPrivateData: true,
    readsForeignText: true,
    sendsData: false,
    run: (args, call) => deleteEvent(context, handlers, args, call),
  }),
]

interface NewEvent extends Pick<GivenContent, 'title' | 'place' | 'notes' | 'reminders'> {
  readonly start: string
  readonly end?: string | undefined
  readonly repeat?: string | undefined
}

const createEvent = async (
  context: CalendarContext,
  { start, end, repeat, ...words }: NewEvent,
  call: ToolContext,
): Promise<ToolOutput> => {
  const { accountId } = call
  const id = idOfCall(call)
  const known = await readOwn(context, accountId, id)
  if (known?.deletedAt) return { text: 'The event was created before, and has been deleted since.', isError: true }
  if (known) return created(known)
  const given: GivenContent = {
    ...words,
    ...timesOf(start, end, await context.zoneOf(accountId)),
    ...(repeat === undefined ? {} : { recurrence: { kind: 'rule', rule: repeat.replace(/^RRULE:/i, '') } }),
  }
  return created(await makeEvent(context, { id, accountId, makerId: accountId, given, fromChat: call.chatId }))
}

const created = ({ id, content }: StoredEvent): ToolOutput => {
  const { title, allDay, start, end, timeZone, recurrence } = content
  const zone = allDay || timeZone === null ? '' : ` (${timeZone})`
  const until = allDay ? lastDay(end) : end
  const repeats = recurrence === null ? '' : ', repeating'
  return {
    text: `Created “${nameLine(title)}”, ${start}${until === start ? '' : ` to ${until}`}${zone}${repeats}. Its id is ${id}.`,
    links: [{ kind: 'calendar-event', id, title: nameLine(title) }],
  }
}

const deleteEvent = async (
  context: CalendarContext,
  handlers: Used,
  { id, all = false }: { readonly id: string; readonly all?: boolean | undefined },
  { accountId, signal }: ToolContext,
): Promise<ToolOutput> => {
  const [, eventId = id, at] = /^(.+):(\d{1,16})$/.exec(id) ?? []
  const named = { resource: 'calendar-event', id: 'eventId', right: 'write' } as const
  const resource = await context.access.authorise(callerOf(accountId), named, eventId)
  const [event] = await context.events.readMany([eventId])
  if (!event) {
    const trashed = await readOwn(context, accountId, eventId)
    if (!trashed) throw fail('event_not_found')
    return { text: `“${nameLine(trashed.content.title)}” is in the trash already.` }
  }
  const title = nameLine(event.content.title)
  const isOne = at !== undefined && event.content.recurrence !== null && !all
  if (event.content.recurrence !== null && !isOne && !all) {
    return { text: `“${title}” repeats: give the id of one occurrence, or set all.`, isError: true }
  }
  const occurrence = isOne ? new Date(Number(at)).toISOString() : undefined
  const query = isOne ? { occurrence, scope: 'this' as const } : {}
  await callFor({ accountId, signal, resource }, handlers.removeEvent, { params: { eventId }, query })
  return {
    text: isOne
      ? `Deleted the occurrence of “${title}” at ${occurrence}; the others stay.`
      : `Deleted “${title}”. It can be restored from the trash for 30 days.`,
  }
}

/** An own event, in the trash or not. */
const readOwn = async (context: CalendarContext, accountId: string, id: string): Promise<StoredEvent | null> => {
  const [live] = await context.events.readMany([id])
  if (live) return live.accountId === accountId ? live : null
  return context.events.trash.readDeleted(accountId, id)
}

const lastDay = (end: string): string => formatDay((parseDay(end) ?? 0) - dayMs)

/** Who is invited, with what they answered, and what the user did. */
const guestsOf = ({ guests, fileGuests, answer }: CalendarEvent): string[] => {
  const all = [...guests, ...fileGuests].map(({ name, answer: said }) => `${nameLine(name)}: ${said}`)
  const rest = all.length - mostGuestsShown
  const more = rest > 0 ? [`${rest} more`] : []
  return [
    ...(all.length === 0 ? [] : [`guests ${[...all.slice(0, mostGuestsShown), ...more].join(', ')}`]),
    ...(answer === null ? [] : [`the user’s answer: ${answer}`]),
  ]
}

const lineOf = (event: CalendarEvent, zone: string | null): string => {
  const { id, title, allDay, startDate, endDate, startAt, endAt, place, notes, shared, status, baseEventId } = event
  const local = (time: string): string => formatWall(wallAt(zone ?? 'UTC', Date.parse(time))).slice(0, 16)
  const days = `${startDate} (all day${lastDay(endDate ?? '') > (startDate ?? '') ? `, until ${lastDay(endDate ?? '')}` : ''})`
  const facts = [
    ...(place === '' ? [] : [`at ${nameLine(place)}`]),
    ...(baseEventId === null ? [] : ['repeats']),
    ...(status === 'confirmed' ? [] : [status]),
    ...(shared === null ? [] : [`of ${nameLine(shared.ownerName)}`]),
    ...guestsOf(event),
    `id ${id}`,
  ]
  const about = notes === '' ? '' : `\n  ${nameLine(notes, shownNotes)}`
  return `- ${allDay ? days : `${local(startAt)} to ${local(endAt)}`}: ${nameLine(title)} (${facts.join('; ')})${about}`
}
