/** Which answers are kept for reading without a network, and as what. Pure. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { calendarRoutes, type CalendarEvent } from '@atrium/contract/calendar'
import { channelsRoutes } from '@atrium/contract/channels'
import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'

export interface KeptPlace {
  /** Ids only: it can be read on the device. */
  readonly name: string
  /** So many of a group are kept, those that were read last. */
  readonly group: 'page' | 'channel' | 'thread' | 'chat'
}

export const mostOfGroup: Readonly<Record<KeptPlace['group'], number>> = {
  page: 20,
  channel: 100,
  thread: 50,
  chat: 50,
}

/** What a call was given. */
export interface KeptInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
}

/** So many days of the calendar are kept, from today. */
export const keptDays = 30

const { messages, thread, read: readChannel, list: listChannels } = channelsRoutes

/** By the path of a route: what its answers are kept as. */
const groups: Readonly<Record<string, KeptPlace['group']>> = {
  [accountsRoutes.me.path]: 'page',
  [accountsRoutes.systemInfo.path]: 'page',
  [settingsRoutes.read.path]: 'page',
  [listChannels.path]: 'page',
  [chatRoutes.list.path]: 'page',
  [calendarRoutes.calendars.path]: 'page',
  [calendarRoutes.events.path]: 'page',
  [readChannel.path]: 'channel',
  [messages.path]: 'channel',
  [thread.path]: 'thread',
  [chatRoutes.read.path]: 'chat',
}

/** Those that ask for a stretch in the middle, or for something in particular. */
const narrowing = ['cursor', 'after', 'around', 'q', 'folderId', 'pinned', 'archived', 'calendarId']

/** null: it is not kept. */
export function placeOfAnswer(path: string, { params = {}, query = {} }: KeptInput): KeptPlace | null {
  const group = groups[path]
  if (group === undefined) return null
  if (narrowing.some((name) => query[name] !== undefined && query[name] !== 'false')) return null
  return { name: [path, ...Object.values(params)].join(' '), group }
}

export const isCalendar = (path: string): boolean => path === calendarRoutes.events.path

/** Those of the kept events that touch the range that is asked for. */
export function eventsIn<E extends Pick<CalendarEvent, 'startAt' | 'endAt'>>(
  items: readonly E[],
  { from, to }: { readonly from: string; readonly to: string },
): E[] {
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  return items.filter(({ startAt, endAt }) => Date.parse(startAt) < end && Date.parse(endAt) >= begin)
}
