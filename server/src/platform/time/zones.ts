/** Zones of the IANA database: what a clock shows at an instant, and which instant it shows a time at. */
import { createCache } from '../cache/cache.ts'
import { loadPackage } from '../load-package.ts'
import { ScheduleFault, dayMs } from './types.ts'

/** A stretch of time in which a zone keeps one offset. */
export interface Stretch {
  /** Its first instant. */
  readonly from: number
  /** The first instant after it. */
  readonly until: number
  /** What its clocks are ahead of UTC, in milliseconds. */
  readonly offset: number
}

/** The name of a zone as the database writes it, whatever the case; null where there is none. Offsets are no zones. */
export const zoneNamed = (name: string): string | null => {
  if (!/^[A-Za-z]/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

const stretches = createCache<Stretch[]>({ max: 600 })

/** The stretch of a zone that holds an instant. Throws ScheduleFault for an unknown zone. */
export const stretchAt = (zone: string, at: number): Stretch => {
  const known = stretches.get(zone) ?? []
  const found = known.find(({ from, until }) => from <= at && at < until)
  if (found) return found
  const stretch = askStretch(zone, at)
  // The last used stand first; a process meets few stretches of a zone.
  stretches.set(zone, [stretch, ...known].slice(0, 64))
  return stretch
}

const askStretch = (zone: string, at: number): Stretch => {
  try {
    const { Temporal } = loadPackage('temporal-polyfill')
    const moment = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
    // What is asked for stands strictly before: the millisecond after finds a change at this very instant.
    const before = moment.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
    const after = moment.getTimeZoneTransition('next')
    return {
      from: before?.epochMilliseconds ?? -Infinity,
      until: after?.epochMilliseconds ?? Infinity,
      offset: Math.round(moment.offsetNanoseconds / 1e6),
    }
  } catch (error) {
    if (error instanceof RangeError && zoneNamed(zone) === null)
      throw new ScheduleFault('unknown_zone', 'This time zone doesn’t exist.')
    throw error
  }
}

/** What the clocks of a zone show at an instant. */
export const wallAt = (zone: string, at: number): number => at + stretchAt(zone, at).offset

/**
 * The instant at which the clocks of a zone show a time. One that they skip is taken with the offset from before the
 * change (02:30 becomes 03:30); of one that they show twice, it is the first. So does Temporal (`compatible`).
 */
export const placeWall = (zone: string, wall: number): number => {
  const before = stretchAt(zone, wall - dayMs)
  const early = wall - before.offset
  if (early < before.until) return early
  const after = stretchAt(zone, wall + dayMs)
  const late = wall - after.offset
  return late >= after.from ? late : early
}
