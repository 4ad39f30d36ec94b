/** What is written to a file and read again is the same event, whatever is in it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCalendarEntries } from '../../../platform/formats/calendar/entries.ts'
import type { EventContent } from '../content.ts'
import { changeOne, contentFrom, type EventPatch, removeOne } from '../series/edits.ts'
import { boundsOf, occurrencesIn } from '../series/occurrences.ts'
import { takeEntries } from './take.ts'
import { calendarEnd, calendarHead, eventComponents, zoneComponent } from './write.ts'

const words = fc
  .string({ maxLength: 60, unit: fc.constantFrom(...Array.from('abé,;:\\"\'=\u05d0\u{1f600}—1 \n')) })
  .map((text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .join('\n')
      .trim(),
  )
const line = words.map((text) => text.replace(/\s+/g, ' '))
const day = fc.integer({ min: 1, max: 28 }).map((n) => `2026-03-${String(n).padStart(2, '0')}`)
const times = fc.oneof(
  day.map((startDate) => ({ startDate })),
  fc.tuple(day, fc.constantFrom(null, 'UTC', 'Europe/Berlin', 'America/New_York')).map(([date, timeZone]) => ({
    startLocal: `${date}T02:30`,
    endLocal: `${date}T04:00`,
    timeZone,
  })),
)
const rule = fc.constantFrom(
  null,
  'FREQ=DAILY;COUNT=9',
  'FREQ=WEEKLY;BYDAY=SU',
  'FREQ=MONTHLY;BYMONTHDAY=-1;UNTIL=20271231',
)

test('and so are its exceptions and changed occurrences', () => {
  fc.assert(
    fc.property(line, words, line, times, rule, (title, notes, place, when, text) => {
      const given: EventPatch & { title: string } = {
        ...when,
        title,
        notes,
        place,
        status: 'tentative',
        color: '#3a7bd5',
      }
      let content = contentFrom({ ...given, recurrence: text === null ? null : { kind: 'rule', rule: text } }, 'a@x')
      const [, second, third] = text === null ? [] : occurrencesIn(content, 0, Date.UTC(2026, 11, 1), 'UTC')
      if (second) content = removeOne(content, second.of)
      if (third) content = changeOne(content, { title: `Moved ${title}`.trim(), status: 'cancelled' }, third.of)

      const row = {
        id: 'a',
        accountId: 'ann',
        calendarId: null,
        version: 1,
        createdAt: 0,
        updatedAt: 0,
        deletedAt: null,
      }
      const file =
        calendarHead('Name') +
        (content.timeZone === null ? '' : (zoneComponent(content.timeZone) ?? '')) +
        eventComponents({ ...row, content }, [15], null) +
        calendarEnd
      const { entries, skipped, unknownZones } = readCalendarEntries(new TextEncoder().encode(file), 100)
      expect([skipped, unknownZones]).toEqual([[], []])
      const { events, skipped: left } = takeEntries('a@x', entries)
      expect(left).toEqual([])
      const read = events[0]?.content as EventContent
      expect(events[0]?.reminders).toEqual([15])
      expect({ ...read, recurrence: null, changes: [] }).toEqual({ ...content, recurrence: null, changes: [] })
      expect(boundsOf(read)).toEqual(boundsOf(content))
      const range = [0, Date.UTC(2026, 11, 1), 'Asia/Tokyo'] as const
      const shown = (of: EventContent) =>
        occurrencesIn(of, ...range).map(({ startAt, endAt, change }) => [startAt, endAt, change?.title, change?.status])
      expect(shown(read)).toEqual(shown(content))
    }),
    { numRuns: 100 },
  )
})
