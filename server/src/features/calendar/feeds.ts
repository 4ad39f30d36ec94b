/** Calendars at secret addresses, for programs that know nothing but an address: made and ended by their owner. */
import { createHash, randomBytes } from 'node:crypto'
import type { calendarRoutes, Feed } from '@atrium/contract/calendar'
import { safeName } from '../../platform/archive/write.ts'
import type { BytesInRanges, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import { announceTo, type CalendarContext } from './context.ts'
import { writeCalendar } from './ics/export.ts'
import type { StoredCalendar } from './stores/calendars.ts'
import type { StoredEvent } from './stores/events.ts'
import type { CalendarFeedRow } from './tables.ts'

type Routes = Pick<typeof calendarRoutes, 'feeds' | 'createFeed' | 'removeFeed' | 'readFeed'>

/** That a program still reads is written down so often at most. */
const markEveryMs = 60 * 60_000

export const feedHandlers = (context: CalendarContext): Handlers<Routes> => {
  const { calendars, clock, feeds } = context
  return {
    async feeds(_input, { resource }) {
      const rows = await feeds.ofCalendar(resource.id)
      return { items: rows.map(toFeed).toSorted((a, b) => (a.content < b.content ? -1 : 1)), nextCursor: null }
    },

    async createFeed({ params: { content } }, { resource, caller }) {
      const secret = randomBytes(32).toString('base64url')
      const row = await feeds.put(resource.id, content, secret, clock.now())
      await announceTo(context, [caller.accountId])
      const path = `/api/calendar/feeds/${secret}/calendar.ics`
      return { feed: toFeed(row), path, url: `${(await context.address()) ?? ''}${path}` }
    },

    async removeFeed({ params: { content } }, { resource, caller }) {
      if (!(await feeds.remove(resource.id, content))) throw fail('feed_not_found')
      await announceTo(context, [caller.accountId])
      return {}
    },

    async readFeed({ params: { secret } }, { header }) {
      const found = await feeds.find(secret)
      const [calendar] = found ? await calendars.readMany([found.calendar_id]) : []
      if (!found || !calendar || !(await context.isActive(calendar.accountId))) throw fail('feed_not_found')
      const { content, last_read_at: readAt } = found
      const now = clock.now()
      if (readAt === null || now - readAt >= markEveryMs) await feeds.markRead(calendar.id, content, now)
      const id = await nameBytes(context, calendar, content)
      // What its reader has already is not put together once more: the answer has no body.
      const isKnown = header('if-none-match')?.includes(`"${id}"`) === true
      return {
        body: isKnown ? { id, ...noBytes } : { id, ...inMemory(await collect(write(context, calendar, content))) },
        mediaType: 'text/calendar; charset=utf-8',
        fileName: safeName(calendar.name, 'calendar', '.ics'),
        disposition: 'attachment' as const,
      }
    },
  }
}

const toFeed = ({ content, created_at, last_read_at }: CalendarFeedRow): Feed => ({
  content,
  createdAt: toIsoTime(created_at),
  lastReadAt: last_read_at === null ? null : toIsoTime(last_read_at),
})

/** An ETag: it changes with the calendar and with what is in it. */
const nameBytes = async ({ feeds }: CalendarContext, { id, updatedAt }: StoredCalendar, content: Feed['content']) =>
  createHash('sha256')
    .update(`${id} ${content} ${updatedAt} ${await feeds.revision(id)}`)
    .digest('base64url')

const write = (context: CalendarContext, { id, name }: StoredCalendar, content: Feed['content']) =>
  content === 'all'
    ? writeCalendar(context, { where: { calendarId: id }, name, readerId: null, guests: true })
    : writeCalendar(context, {
        where: { calendarId: id },
        has: (event) => event.content.status !== 'cancelled',
        tell: withoutWords,
        name: 'Busy',
        readerId: null,
        guests: false,
      })

/** An event of which nothing is told but when it is. Its name elsewhere may tell something, too. */
const withoutWords = (event: StoredEvent): StoredEvent => {
  const { content } = event
  const silent = { title: 'Busy', notes: '', place: '', link: '', color: null, extra: [] }
  const changes = content.changes.map(({ occurrence, start, end, status }) => ({
    occurrence,
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(status === undefined ? {} : { status }),
  }))
  return { ...event, content: { ...content, ...silent, uid: event.id, changes } }
}

const collect = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

const noBytes: Omit<BytesInRanges, 'id'> = { size: 0, async *read() {} }
const inMemory = (bytes: Uint8Array): Omit<BytesInRanges, 'id'> => ({
  size: bytes.byteLength,
  async *read(start, end) {
    yield bytes.subarray(start, end)
  },
})
