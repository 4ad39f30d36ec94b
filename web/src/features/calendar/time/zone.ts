/** Wall times of a zone, and the instants that they stand for. Pure but for the rules that the browser knows. */
import { type Day, type Wall, dayOfWall, minutesOfDay, wallOf } from './day.ts'

/** The zone of this machine, such as `Europe/Berlin`. */
export const zoneOfMachine = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** What the clocks of a zone show at an instant, in milliseconds since 1970. */
export function instantToWall(instant: number, zone: string): Wall {
  const parts = formatOf(zone).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)?.value ?? 0)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')) / 60_000
}

/**
 * When the clocks of a zone show a time: a time that comes twice is the first one, one that is left out is taken with
 * the offset before the gap, so that 02:30 becomes 03:30 (`compatible`, as the server has it).
 */
export function wallToInstant(wall: Wall, zone: string): number {
  const asUtc = wall * 60_000
  const before = asUtc - offsetAt(asUtc - oneDayMs, zone)
  const after = asUtc - offsetAt(asUtc + oneDayMs, zone)
  const hits = [before, after].filter((instant) => instantToWall(instant, zone) === wall)
  return hits.length > 0 ? Math.min(...hits) : before
}

export const todayIn = (zone: string, now: number): Day => dayOfWall(instantToWall(now, zone))

/** How much longer a day is than 24 hours, in minutes: -60 where clocks go forward by an hour, 60 where they go back. */
export function clockChangeOn(day: Day, zone: string): number {
  const length = wallToInstant(wallOf(day + 1, 0), zone) - wallToInstant(wallOf(day, 0), zone)
  return Math.round(length / 60_000) - minutesOfDay
}

/** Whether the clocks of two zones show the same at an instant; then nothing needs to be said of the second. */
export const isSameTime = (instant: number, zone: string, other: string): boolean =>
  zone === other || instantToWall(instant, zone) === instantToWall(instant, other)

export function isZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    // What the browser does not know is none.
    return false
  }
}

const oneDayMs = 86_400_000
const offsetAt = (instant: number, zone: string): number => {
  const minute = Math.floor(instant / 60_000)
  return (instantToWall(minute * 60_000, zone) - minute) * 60_000
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formats.set(zone, made)
  return made
}
