/** For how long one is not to be disturbed. Pure. */

export const spans = ['half-hour', 'hour', 'four-hours', 'tomorrow', 'week'] as const
export type Span = (typeof spans)[number]

const minutes: Partial<Record<Span, number>> = { 'half-hour': 30, hour: 60, 'four-hours': 240, week: 7 * 24 * 60 }

/** When it ends; `tomorrow` is the next day at nine, on the clock of this device. */
export function endOf(span: Span, now: Date): Date {
  const after = minutes[span]
  if (after !== undefined) return new Date(now.getTime() + after * 60_000)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9)
}
