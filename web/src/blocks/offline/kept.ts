/** Which answers are kept for reading without a network, and as what. Pure. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { calendarRoutes, type CalendarEvent } from '@atrium/contract/calendar'
import { channelsRoutes } from '@atrium/contract/channels'
import { type Chat, chatRoutes } from '@atrium/contract/chat'
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

/** The fewest that a page asks for; what asks for less looks at the end of it, and its answer must not take the place of the page. */
const pageFrom: Readonly<Record<string, number>> = {
  [chatRoutes.list.path]: 40,
  [chatRoutes.read.path]: 30,
  [messages.path]: 50,
  [thread.path]: 100,
}

/** Whether an answer is a whole page, as a copy has to be. */
export function isWholePage(path: string, { query: { limit } = {} }: KeptInput): boolean {
  return limit === undefined || Number(limit) >= (pageFrom[path] ?? 0)
}

/** A kept page with as many items as are asked for: the first of the list of chats, the last of a chat. */
export function cutToLimit(path: string, kept: unknown, { query: { limit } = {} }: KeptInput): unknown {
  if (limit === undefined) return kept
  if (path === chatRoutes.list.path) {
    const list = kept as { items: readonly unknown[] }
    return { ...list, items: list.items.slice(0, Number(limit)) }
  }
  if (path !== chatRoutes.read.path) return kept
  const chat = kept as Chat
  return { ...chat, messages: { ...chat.messages, items: chat.messages.items.slice(-Number(limit)) } }
}

/** null: it is not kept. */
export function placeOfAnswer(path: string, { params = {}, query = {} }: KeptInput): KeptPlace | null {
  const group = groups[path]
  if (group === undefined) return null
  if (narrowing.some((name) => query[name] !== undefined && query[name] !== 'false')) return null
  return { name: [path, ...Object.values(params)].join(' '), group }
}

/** Chats of others are read as long as they are shared, and temporary ones end: neither stays on a device. */
export function mayStay(path: string, answer: unknown): boolean {
  if (path !== chatRoutes.read.path) return true
  const { expiresAt, ownerName } = answer as Pick<Chat, 'expiresAt' | 'ownerName'>
  return expiresAt === null && ownerName === null
}

/**
 * What goes once it is known in which channels the account is: those that it left. Which channel a thread is of is not
 * told by its name, so that all threads go then. null: not all channels were told.
 */
export function goneWith(path: string, answer: unknown): ((kept: readonly KeptPlace[]) => KeptPlace[]) | null {
  if (path !== listChannels.path) return null
  const { items, nextCursor } = answer as { items: readonly { id: string }[]; nextCursor: string | null }
  if (nextCursor !== null) return null
  const ids = new Set(items.map(({ id }) => id))
  return (kept) => {
    const left = kept.filter(({ name, group }) => group === 'channel' && !ids.has(name.split(' ')[1] ?? ''))
    return left.length === 0 ? [] : [...left, ...kept.filter(({ group }) => group === 'thread')]
  }
}

export const isCalendar = (path: string): boolean => path === calendarRoutes.events.path

/** What an earlier version kept says nothing of who is named in the file of an event. */
export const completeEvent = (
  event: Omit<CalendarEvent, 'fileGuests' | 'organizer'> & Partial<Pick<CalendarEvent, 'fileGuests' | 'organizer'>>,
): CalendarEvent => ({ ...event, fileGuests: event.fileGuests ?? [], organizer: event.organizer ?? null })

/** Those of the kept events that touch the range that is asked for. */
export function eventsIn<E extends Pick<CalendarEvent, 'startAt' | 'endAt'>>(
  items: readonly E[],
  { from, to }: { readonly from: string; readonly to: string },
): E[] {
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  return items.filter(({ startAt, endAt }) => Date.parse(startAt) < end && Date.parse(endAt) >= begin)
}
