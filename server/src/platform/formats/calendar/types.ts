/** What a file of iCalendar (RFC 5545) holds, as far as it could be read. */

/** A day, a time on the clock of a zone (null: wherever one is), or an instant (`UTC`). */
export interface CalendarMoment {
  readonly isDay: boolean
  /** `2026-11-26T09:30:00`, or `2026-11-26`. */
  readonly text: string
  /** Of the IANA database. */
  readonly zone: string | null
}

/** A property as jCal (RFC 7265) writes it: name, parameters, type and values. */
export type CalendarProperty = readonly unknown[]

/** A VEVENT. Words are as they stand there. */
export interface CalendarEntry {
  readonly uid: string | null
  readonly title: string
  readonly notes: string
  readonly place: string
  readonly link: string
  /** `#3a7bd5`, where the file says one. */
  readonly color: string | null
  readonly status: 'confirmed' | 'tentative' | 'cancelled'
  readonly start: CalendarMoment
  /** null: neither an end nor a duration. */
  readonly end: CalendarMoment | null
  /** Instead of an end, in milliseconds. */
  readonly durationMs: number | null
  /** As it is written. */
  readonly rule: string | null
  readonly dates: readonly CalendarMoment[]
  readonly exceptDates: readonly CalendarMoment[]
  /** The occurrence of a series that it stands for. */
  readonly replaces: CalendarMoment | null
  /** It stands for all later ones, too. */
  readonly following: boolean
  readonly sequence: number
  /** Minutes before the start at which it reminds. */
  readonly reminders: readonly number[]
  /** What else it says. */
  readonly extra: readonly CalendarProperty[]
}

export type EntryFault = 'no_start' | 'bad_time' | 'bad_rule' | 'not_an_event'

export interface CalendarFile {
  readonly entries: readonly CalendarEntry[]
  /** What was left out, and why. */
  readonly skipped: readonly { readonly title: string; readonly reason: EntryFault }[]
  /** Names of zones that nothing in the world is called, and that the file does not explain. */
  readonly unknownZones: readonly string[]
}
