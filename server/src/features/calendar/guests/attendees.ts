/**
 * Guests in files of iCalendar. Accounts are written by name and a URN of their id: no mail address of anybody leaves, and
 * no other program finds one to write to. Who comes with a file is kept as it says, shown by name, and told nothing. Pure.
 */
import { type FileGuest, type GuestAnswer, mostGuests } from '@atrium/contract/calendar'
import { nameLine } from '../../../platform/areas/tool-text.ts'
import type { EventContent, OccurrenceChange, Property } from '../content.ts'
import { findOccurrence } from '../series/occurrences.ts'
import { answerOf, type StoredGuest } from '../stores/guests.ts'

/** Whose event it is and who is invited, with what they are called, by id. */
export interface Attendance {
  readonly ownerId: string
  readonly guests: readonly StoredGuest[]
  readonly names: ReadonlyMap<string, string>
}

const states = { waiting: 'NEEDS-ACTION', yes: 'ACCEPTED', no: 'DECLINED', maybe: 'TENTATIVE' } as const
const answers = new Map<string, GuestAnswer>(
  (Object.keys(states) as GuestAnswer[]).map((answer) => [states[answer], answer]),
)
const urn = 'urn:uuid:'
const longestName = 200

/** The properties that tell of accounts; `occurrence` null: of all of the event. What the file said of the same ones is left out. */
export const attendeesOf = (
  { ownerId, guests, names }: Attendance,
  occurrence: number | null,
  extra: readonly Property[],
): Property[] => {
  if (guests.length === 0) return []
  const person = (name: string, id: string, more: object): Property => [
    name,
    { cn: paramText(names.get(id) ?? ''), ...more },
    'cal-address',
    `${urn}${id}`,
  ]
  return [
    ...(extra.some(([name]) => name === 'organizer') ? [] : [person('organizer', ownerId, {})]),
    ...guests.map((guest) =>
      person('attendee', guest.accountId, { partstat: states[answerOf(guest, occurrence)], rsvp: 'TRUE' }),
    ),
  ]
}

/** The occurrences that somebody answered alone, and that were not changed besides. */
export const answeredAlone = (content: EventContent, guests: readonly StoredGuest[]): number[] => {
  const changed = new Set(content.changes.map(({ occurrence }) => occurrence))
  const all = new Set(guests.flatMap(({ answers: own }) => [...own.keys()]))
  return [...all]
    .filter((of) => !changed.has(of) && findOccurrence(content, of, 'UTC') !== null)
    .toSorted((a, b) => a - b)
}

/** Who is invited according to the file that an event came from. */
export const guestsInFile = (extra: readonly Property[]): { organizer: string | null; guests: FileGuest[] } => {
  const organizer = extra.find(([name]) => name === 'organizer')
  return {
    organizer: (organizer && nameOf(organizer)) ?? null,
    guests: extra
      .filter(([name]) => name === 'attendee')
      .slice(0, mostGuests)
      .flatMap((property) => {
        const name = nameOf(property)
        const answer = answers.get(paramOf(property, 'partstat').toUpperCase()) ?? 'waiting'
        return name === null ? [] : [{ name, answer }]
      }),
  }
}

/** All names of them, also those of single occurrences. */
export const namesInFile = ({ extra, changes }: EventContent): string[] => [
  ...new Set(
    [extra, ...changes.map((change) => change.extra ?? [])].flatMap((properties) => {
      const { organizer, guests } = guestsInFile(properties)
      return [...(organizer === null ? [] : [organizer]), ...guests.map(({ name }) => name)]
    }),
  ),
]

/** An event that came back from a file without what that says of accounts which have their own place in it: guests, and its owner. */
export const withoutAccounts = (content: EventContent, accountIds: ReadonlySet<string>): EventContent => {
  const strip = (extra: readonly Property[]): Property[] =>
    extra.filter(([name, , , value]) => {
      if ((name !== 'attendee' && name !== 'organizer') || typeof value !== 'string') return true
      return !(value.startsWith(urn) && accountIds.has(value.slice(urn.length)))
    })
  const stripped = { ...content, extra: strip(content.extra) }
  const plain = { ...stripped, changes: [] }
  stripped.changes = content.changes.flatMap((change) => {
    if (!change.extra) return [change]
    const { extra, ...rest } = change
    const left = strip(extra)
    const isOwn = JSON.stringify(left) !== JSON.stringify(stripped.extra)
    const kept: OccurrenceChange = isOwn ? { ...rest, extra: left } : rest
    // It stood in the file for nothing but an answer.
    const isOther = isOwn || left.length === extra.length || differs(plain, rest)
    return isOther ? [kept] : []
  })
  return stripped
}

const differs = (content: EventContent, { occurrence, start, end, ...words }: OccurrenceChange): boolean => {
  const found = findOccurrence(content, occurrence, 'UTC')
  return Object.keys(words).length > 0 || start !== found?.start || end !== found?.end
}

/** What somebody is called: by the name that is given, else by the address. */
const nameOf = (property: Property): string | null => {
  const value = property[3]
  const address = typeof value === 'string' ? value.replace(/^mailto:/i, '') : ''
  const name = nameLine(paramOf(property, 'cn'), longestName) || nameLine(address, longestName)
  return name === '' ? null : name
}

const paramOf = ([, params]: Property, name: string): string => {
  const value: unknown = typeof params === 'object' && params !== null ? (params as Record<string, unknown>)[name] : ''
  return typeof value === 'string' ? value : ''
}

/** Values of parameters can hold no quotes and no line breaks (RFC 5545, 3.2). */
const paramText = (text: string): string => text.replace(/"/g, '’').replace(/\p{Cc}+/gu, ' ')
