/** Days of a calendar and the spans of sums: pure arithmetic over UTC milliseconds. */

export const dayMs = 86_400_000
export const hourMs = 3_600_000
export const quarterMs = 900_000

/** `2026-11-20` → midnight UTC. */
export const dayToMs = (day: string): number => Date.parse(`${day}T00:00:00.000Z`)
export const msToDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

export interface DayRange {
  /** First and last day, both included, as the asking person's calendar has them. */
  readonly from: string
  readonly to: string
  readonly days: number
  readonly offsetMinutes: number
  /** The same as moments; `until` is not included. */
  readonly since: number
  readonly until: number
}

/** The range between two days. */
export const rangeBetween = (from: string, to: string, offsetMinutes: number): DayRange => {
  const shift = offsetMinutes * 60_000
  const since = dayToMs(from) - shift
  const until = dayToMs(to) + dayMs - shift
  return { from, to, days: Math.round((until - since) / dayMs), offsetMinutes, since, until }
}

/** The last so many days, today included. */
export const rangeUntil = (now: number, days: number, offsetMinutes: number): DayRange => {
  const today = now + offsetMinutes * 60_000
  return rangeBetween(msToDay(today - (days - 1) * dayMs), msToDay(today), offsetMinutes)
}

export const daysOf = ({ from, days }: DayRange): string[] =>
  Array.from({ length: days }, (_, index) => msToDay(dayToMs(from) + index * dayMs))

/** A stretch of sums of one span; `until` is not included. */
export interface SumSpan {
  readonly span: 'day' | 'quarter'
  readonly since: number
  readonly until: number
}

/** The fewest sums that make up a range: whole days of UTC, and quarters of an hour at both ends. */
export const spansOf = ({ since, until }: { since: number; until: number }): SumSpan[] => {
  const first = Math.ceil(since / dayMs) * dayMs
  const last = Math.floor(until / dayMs) * dayMs
  if (first >= last) return [{ span: 'quarter', since, until }]
  const pieces: SumSpan[] = [
    { span: 'quarter', since, until: first },
    { span: 'day', since: first, until: last },
    { span: 'quarter', since: last, until },
  ]
  return pieces.filter((piece) => piece.since < piece.until)
}
