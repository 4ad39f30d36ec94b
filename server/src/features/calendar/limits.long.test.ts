/** As many events as an account may have: a month of them is there whole, and one more is refused. */
import { calendarRoutes as routes } from '@atrium/contract/calendar'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../testing/app.ts'

const most = 50_000
const atOnce = 10_000
const perDay = 10
const dayMs = 86_400_000
const first = Date.UTC(2020, 0, 1)

const entry = (n: number): string[] => {
  const day = new Date(first + Math.floor(n / perDay) * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
  return ['BEGIN:VEVENT', `UID:${n}@x`, `DTSTART:${day}T0${n % perDay}0000Z`, `SUMMARY:Event ${n}`, 'END:VEVENT']
}

test('fifty thousand events are kept, found by their month, and written out; the next one is refused', async () => {
  const app = await startTestApp()
  onTestFinished(() => app.close())
  const ann = await app.signUpAdmin()
  const take = (from: number, count: number) => {
    const entries = Array.from({ length: count }, (_, n) => entry(from + n)).flat()
    const file = new Blob([['BEGIN:VCALENDAR', 'VERSION:2.0', ...entries, 'END:VCALENDAR', ''].join('\r\n')])
    return { query: {}, file }
  }
  for (let from = 0; from < most - atOnce; from += atOnce)
    expect(await ann.call(routes.importCalendar, take(from, atOnce))).toMatchObject({ imported: atOnce })
  // All or none: of a file with one too many nothing is kept.
  const tooMany = take(most - atOnce, atOnce + 1)
  expect((await ann.refusal(routes.importCalendar, tooMany)).code).toBe('event_limit')
  expect(await ann.call(routes.importCalendar, take(most - atOnce, atOnce))).toMatchObject({ imported: atOnce })
  const body = { title: 'One more', startDate: '2026-01-01' }
  expect((await ann.refusal(routes.createEvent, { body })).code).toBe('event_limit')

  const month = { from: '2027-05-01T00:00:00Z', to: '2027-06-01T00:00:00Z' }
  const { items, truncated } = await ann.call(routes.events, { query: month })
  expect(truncated).toBe(false)
  expect(items.map(({ title }) => title)).toEqual(
    Array.from({ length: 31 * perDay }, (_, n) => {
      const since = (Date.parse(month.from) - first) / dayMs
      return `Event ${since * perDay + n}`
    }),
  )
  const text = await (await ann.call(routes.exportCalendar, { query: {} })).text()
  expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(most)
  // The same file again changes what is there, and adds none.
  expect(await ann.call(routes.importCalendar, take(0, atOnce))).toMatchObject({ imported: 0 })
})
