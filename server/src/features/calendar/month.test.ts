/** A month of a calendar with many events asks for what touches it, and for nothing else. */
import { calendarRoutes as routes } from '@atrium/contract/calendar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { type DatabaseWork, statementsOf, watchDatabaseWork } from '../../testing/database-work.ts'

let app: TestApp
let ann: Client
let work: DatabaseWork
beforeAll(async () => {
  app = await startTestApp()
  ann = await app.signUpAdmin()
  work = watchDatabaseWork()
})
afterAll(async () => {
  work.stop()
  await app?.close()
})

const entry = (n: number): string[] => {
  // Every twentieth repeats; the others are spread over years.
  const day = new Date(Date.UTC(2016, 0, 1 + Math.floor(n / 3))).toISOString().slice(0, 10).replaceAll('-', '')
  const rule = n % 20 === 0 ? [`RRULE:FREQ=WEEKLY;INTERVAL=${(n % 4) + 1}`] : []
  const times = [`DTSTART;TZID=Europe/Berlin:${day}T090000`, `DTEND;TZID=Europe/Berlin:${day}T100000`]
  return ['BEGIN:VEVENT', `UID:${n}@x`, ...times, ...rule, `SUMMARY:Event ${n}`, 'END:VEVENT']
}
const month = { from: '2017-05-01T00:00:00Z', to: '2017-06-01T00:00:00Z' }
const take = async (from: number, to: number) => {
  const entries = Array.from({ length: to - from }, (_, n) => entry(from + n)).flat()
  const file = new Blob([['BEGIN:VCALENDAR', 'VERSION:2.0', ...entries, 'END:VCALENDAR', ''].join('\r\n')])
  expect(await ann.call(routes.importCalendar, { query: {}, file })).toMatchObject({
    imported: to - from,
    skippedCount: 0,
  })
}
/** The statements about calendars that a month takes: the fewest of several times, as what goes on beside it only adds some. */
const statementsOfMonth = async (): Promise<string[]> => {
  const looks: string[][] = []
  for (let times = 0; times < 5; times += 1) {
    work.clear()
    expect((await ann.call(routes.events, { query: month })).truncated).toBe(false)
    looks.push(work.messages.map(statementsOf).filter((text) => /"?calendar/.test(text) && !/next_at/.test(text)))
  }
  return looks.toSorted((one, other) => one.length - other.length)[0] ?? []
}

test('a month takes as many statements with thousands of events as with few', async () => {
  await take(0, 100)
  const few = await statementsOfMonth()
  await take(100, 3000)
  const many = await statementsOfMonth()
  expect(many.length, many.join('\n\n')).toBe(few.length)
  expect(many.length, many.join('\n\n')).toBeLessThanOrEqual(4)
  const { items } = await ann.call(routes.events, { query: month })
  expect(items.length).toBeGreaterThan(300)
  expect(items.every(({ startAt }) => startAt.startsWith('2017-05'))).toBe(true)
})
