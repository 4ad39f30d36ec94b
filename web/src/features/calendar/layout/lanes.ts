/** Where events stand below each other in a row of days: of the month, or over the hours of a week. Pure. */

/** Takes the days `from` to `to` of the row, both included. */
export interface Bar {
  readonly key: string
  readonly from: number
  readonly to: number
}

export interface Lanes {
  /** The line of each bar that is shown, from 0. */
  readonly lanes: ReadonlyMap<string, number>
  /** For each day how many are not shown. */
  readonly more: readonly number[]
  /** How many lines are used, with the one that says how many more there are. */
  readonly used: number
}

/**
 * Lays bars into `room` lines, in the order given (sort them first): each takes the first line that is free on all its
 * days. On a day with more than fit, the last line says how many there are; a bar over several days is shown on all of
 * them or on none.
 */
export function layOutLanes(bars: readonly Bar[], days: number, room: number): Lanes {
  const busy: Set<number>[] = Array.from({ length: days }, () => new Set())
  const all = bars.map((bar) => {
    const own = busy.slice(bar.from, bar.to + 1)
    let lane = 0
    while (own.some((day) => day.has(lane))) lane++
    for (const day of own) day.add(lane)
    return { bar, lane }
  })
  const isFull = busy.map((day) => Math.max(-1, ...day) >= room)
  const lanes = new Map<string, number>()
  const more: number[] = Array.from({ length: days }, () => 0)
  for (const { bar, lane } of all) {
    const isShown = lane < room - 1 || (lane < room && !isFull.slice(bar.from, bar.to + 1).some(Boolean))
    if (isShown) lanes.set(bar.key, lane)
    else for (let day = bar.from; day <= bar.to; day++) more[day] = (more[day] ?? 0) + 1
  }
  const used = Math.max(0, ...[...lanes.values()].map((lane) => lane + 1), more.some((count) => count > 0) ? room : 0)
  return { lanes, more, used }
}
