/** Times a while off, as people say them. Pure, on the clock of this device. */
export type LaterName = 'hour' | 'evening' | 'tomorrow' | 'week'

const morning = 9
const evening = 18

/** In the order of time; this evening only while it is a while off. */
export function laterTimes(now: Date): readonly (readonly [LaterName, Date])[] {
  const at = (days: number, hour: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
  const untilMonday = (8 - now.getDay()) % 7 || 7
  return [
    ['hour', new Date(now.getTime() + 3600_000)],
    ...(now.getHours() < evening - 1 ? [['evening', at(0, evening)] as const] : []),
    ['tomorrow', at(1, morning)],
    ...(untilMonday > 1 ? [['week', at(untilMonday, morning)] as const] : []),
  ]
}
