/**
 * Which zone a name in a calendar means, in this order: the name of the IANA database, also at the end of a path; that of
 * Windows; one that Outlook or Lotus Notes writes; the one that the VTIMEZONE says it is; a zone with the offsets of the
 * VTIMEZONE. Otherwise nobody knows, and the time floats.
 */
import ICAL from 'ical.js'
import { findIana } from 'windows-iana'

export interface ZoneNames {
  /** The zone of the IANA database, or null. */
  resolve(tzid: string): string | null
  readonly unknown: ReadonlySet<string>
}

export const zoneNamesOf = (calendars: readonly ICAL.Component[]): ZoneNames => {
  const explained = new Map<string, ICAL.Component>()
  for (const calendar of calendars)
    for (const zone of calendar.getAllSubcomponents('vtimezone').slice(0, 500)) {
      const tzid = zone.getFirstPropertyValue('tzid')
      if (typeof tzid === 'string') explained.set(tzid, zone)
    }
  const known = new Map<string, string | null>()
  const unknown = new Set<string>()
  return {
    unknown,
    resolve(tzid) {
      const found = known.get(tzid)
      if (found !== undefined) return found
      const zone = find(tzid, explained.get(tzid) ?? null)
      known.set(tzid, zone)
      if (zone === null && unknown.size < 50) unknown.add(tzid.slice(0, 100))
      return zone
    },
  }
}

const find = (tzid: string, explained: ICAL.Component | null): string | null => {
  const name = tzid.trim().replace(/^"|"$/g, '')
  const location = explained?.getFirstPropertyValue('x-lic-location')
  return (
    ianaName(name) ??
    pathEnd(name) ??
    windowsName(name) ??
    displayName(name) ??
    (typeof location === 'string' ? ianaName(location) : null) ??
    (explained ? sameOffsets(explained) : null)
  )
}

const ianaName = (name: string): string | null => {
  if (!/^[A-Za-z][\w+/-]{1,60}$/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** `/freeassociation.sourceforge.net/Tzfile/Europe/Berlin`, as Evolution and Thunderbird once wrote. */
const pathEnd = (name: string): string | null => {
  const parts = name.split('/').filter(Boolean)
  for (const count of [3, 2]) {
    const zone = parts.length > count ? ianaName(parts.slice(-count).join('/')) : null
    if (zone !== null) return zone
  }
  return null
}

const windowsName = (name: string): string | null => findIana(name as Parameters<typeof findIana>[0])[0] ?? null

/** `(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna`: a city is in the name of its zone. */
const displayName = (name: string): string | null => {
  const lotus = lotusNames[name.toLowerCase()]
  if (lotus !== undefined) return lotus
  const [, cities] = /^\((?:UTC|GMT)[^)]*\)\s*(.+)$/i.exec(name) ?? []
  if (cities === undefined) return null
  if (/coordinated universal time/i.test(cities)) return 'UTC'
  for (const [pattern, zone] of regions) if (pattern.test(cities)) return zone
  for (const city of cities.split(/,|\bor\b/)) {
    const zone = ianaByCity().get(city.trim().toLowerCase().replace(/ /g, '_'))
    if (zone !== undefined) return zone
  }
  return null
}

/** Names of Outlook that no city of the database begins with. */
const regions: readonly (readonly [RegExp, string])[] = [
  [/eastern time/i, 'America/New_York'],
  [/central time/i, 'America/Chicago'],
  [/mountain time/i, 'America/Denver'],
  [/pacific time/i, 'America/Los_Angeles'],
  [/atlantic time/i, 'America/Halifax'],
  [/greenwich mean time/i, 'Europe/London'],
  [/west central africa/i, 'Africa/Lagos'],
  [/chennai|mumbai|new delhi/i, 'Asia/Kolkata'],
  [/beijing/i, 'Asia/Shanghai'],
  [/osaka/i, 'Asia/Tokyo'],
  [/canberra/i, 'Australia/Sydney'],
  [/wellington/i, 'Pacific/Auckland'],
  [/abu dhabi/i, 'Asia/Dubai'],
]

const lotusNames: Readonly<Record<string, string>> = {
  'gmt standard time': 'Europe/London',
  greenwich: 'Europe/London',
  'western/central europe': 'Europe/Berlin',
  'central european': 'Europe/Berlin',
  'eastern european': 'Europe/Athens',
  zw: 'Europe/London',
  eastern: 'America/New_York',
  'eastern standard': 'America/New_York',
  central: 'America/Chicago',
  'central standard': 'America/Chicago',
  mountain: 'America/Denver',
  'mountain standard': 'America/Denver',
  pacific: 'America/Los_Angeles',
  'pacific standard': 'America/Los_Angeles',
  india: 'Asia/Kolkata',
  tokyo: 'Asia/Tokyo',
}

let cities: Map<string, string> | null = null
const ianaByCity = (): Map<string, string> => {
  cities ??= new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [zone.split('/').at(-1)?.toLowerCase() ?? zone, zone]),
  )
  return cities
}

/** A zone whose clocks show the same in every month of this and the next year as the rules in the file make them. */
const sameOffsets = (explained: ICAL.Component): string | null => {
  try {
    const zone = new ICAL.Timezone(explained)
    const year = new Date().getUTCFullYear()
    const moments = Array.from({ length: 24 }, (_, month) => Date.UTC(year, month, 15, 12))
    const offsets = moments.map((at) => zone.utcOffset(ICAL.Time.fromJSDate(new Date(at), true)) / 60)
    return (
      Intl.supportedValuesOf('timeZone').find((name) => {
        const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
        return moments.every((at, index) => offsetIn(format, at) === offsets[index])
      }) ?? null
    )
  } catch {
    return null
  }
}

const offsetIn = (format: Intl.DateTimeFormat, at: number): number => {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? []
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}
