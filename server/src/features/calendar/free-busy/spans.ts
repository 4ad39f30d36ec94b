/** When somebody is busy, and when all of several are free. Pure. Times are integer milliseconds. */
import { dayMs, minuteMs, placeWall, wallAt } from '../../../platform/time/index.ts'

export interface Span {
  readonly from: number
  readonly to: number
}

/** In order, cut to a range, those that touch put together. */
export const mergeSpans = (spans: readonly Span[], { from, to }: Span): Span[] => {
  const merged: { from: number; to: number }[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const cut = { from: Math.max(from, span.from), to: Math.min(to, span.to) }
    if (cut.from >= cut.to) continue
    const last = merged.at(-1)
    if (last && cut.from <= last.to) last.to = Math.max(last.to, cut.to)
    else merged.push(cut)
  }
  return merged
}

export interface FreeQuestion extends Span {
  readonly minutes: number
  /** On the clocks of this zone, between these hours of a day. */
  readonly zone: string
  readonly fromHour: number
  readonly toHour: number
  readonly most: number
}

/** Starts and ends of what would fit, at quarters of an hour; of one stretch that is free at most two a day, so that there is a choice. */
export const findFree = (busy: readonly Span[], question: FreeQuestion): Span[] => {
  const { from, to, minutes, zone, fromHour, toHour, most } = question
  const length = minutes * minuteMs
  const quarter = 15 * minuteMs
  const taken = mergeSpans(busy, question)
  const found: Span[] = []
  for (let day = Math.floor(wallAt(zone, from) / dayMs) * dayMs; found.length < most; day += dayMs) {
    const open = placeWall(zone, day + fromHour * 60 * minuteMs)
    const close = placeWall(zone, day + toHour * 60 * minuteMs)
    if (open >= to) break
    let at = Math.ceil(Math.max(open, from) / quarter) * quarter
    const end = Math.min(close, to)
    let ofStretch = 0
    while (at + length <= end && found.length < most) {
      const clash = taken.find((span) => span.from < at + length && span.to > at)
      if (clash) {
        at = Math.ceil(clash.to / quarter) * quarter
        ofStretch = 0
        continue
      }
      found.push({ from: at, to: at + length })
      ofStretch += 1
      const next = taken.find((span) => span.from >= at + length)
      // The next one of this stretch stands two hours on; then it is another stretch’s turn.
      at = ofStretch < 2 ? at + Math.max(length, 120 * minuteMs) : (next?.to ?? end)
    }
  }
  return found
}
