/**
 * A calendar with many events: how long it takes to take a file of 10,000 in, and to see a month of it; and the same for an
 * account that has 50,000, as many as it may. Over HTTP, from another process.
 */
import { makeBed } from '../bed.ts'
import { type Row, ms } from '../row.ts'

const rounds = 100
const warmUp = 20
const years = 10

/** A calendar file; every twentieth event repeats, the others are spread over the years. */
const fileOf = (from: number, to: number): string => {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//bench//EN']
  for (let n = from; n < to; n += 1) {
    const date = new Date(Date.UTC(2020, 0, 1 + Math.floor((((n * 7919) % 10_000) / 10_000) * years * 365)))
    const day = date.toISOString().slice(0, 10).replaceAll('-', '')
    const hour = String(7 + (n % 11)).padStart(2, '0')
    const rule = n % 20 === 0 ? [`RRULE:FREQ=${n % 40 === 0 ? 'WEEKLY' : 'MONTHLY'};INTERVAL=${(n % 3) + 1}`] : []
    lines.push(
      ...['BEGIN:VEVENT', `UID:${n}@bench`, 'DTSTAMP:20200101T000000Z'],
      ...[`DTSTART;TZID=Europe/Berlin:${day}T${hour}0000`, `DTEND;TZID=Europe/Berlin:${day}T${hour}4500`, ...rule],
      ...[`SUMMARY:Meeting number ${n} about the plan`, `LOCATION:Room ${n % 40}`, 'END:VEVENT'],
    )
  }
  return [...lines, 'END:VCALENDAR', ''].join('\r\n')
}

export async function measureCalendar(): Promise<Row[]> {
  const bed = await makeBed({ accounts: 1, models: [] })
  try {
    const [token = ''] = bed.tokens
    const take = async (from: number, to: number): Promise<number> => {
      const body = fileOf(from, to)
      const begin = performance.now()
      const answer = await fetch(`${bed.url}/api/calendar/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
        body,
      })
      const report = (await answer.json()) as { imported?: number }
      if (report.imported !== to - from) throw new Error(`not imported: ${JSON.stringify(report)}`)
      return performance.now() - begin
    }
    const look = async () => {
      const times: number[] = []
      let occurrences = 0
      for (let round = 0; round < warmUp + rounds; round += 1) {
        const month = new Date(Date.UTC(2024, round % 48, 1))
        const end = new Date(Date.UTC(2024, (round % 48) + 1, 1))
        const path = `/api/calendar/events?from=${month.toISOString()}&to=${end.toISOString()}&timeZone=Europe/Berlin`
        const begin = performance.now()
        const { items } = await bed.call<{ items: unknown[] }>(token, 'GET', path)
        if (round < warmUp) continue
        times.push(performance.now() - begin)
        occurrences += items.length / rounds
      }
      times.sort((a, b) => a - b)
      const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN
      return { p50: at(0.5), p95: at(0.95), occurrences: Math.round(occurrences) }
    }
    const importMs = await take(0, 10_000)
    const month = await look()
    for (let from = 10_000; from < 50_000; from += 10_000) await take(from, from + 10_000)
    const largest = await look()
    return [
      ['import of 10,000 events', ms(importMs), '≤ 10 s'],
      [
        `a month of 10,000 events, 500 that repeat (${month.occurrences} occurrences), p50 / p95`,
        tell(month),
        '≤ 60 ms (p95)',
      ],
      [`the same with 50,000 events (${largest.occurrences} occurrences), p50 / p95`, tell(largest), ''],
    ]
  } finally {
    await bed.close()
  }
}

const tell = ({ p50, p95 }: { p50: number; p95: number }): string => `${ms(p50)} / ${ms(p95)}`
