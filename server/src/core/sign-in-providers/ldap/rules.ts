/** Decisions about entries of a directory. Pure. */
import { Email, Username } from '@atrium/contract/accounts'
import type { SavedLdap } from './config.ts'

/** An entry as it was received: every attribute with its values, in the spelling of the directory. */
export interface DirectoryEntry {
  readonly dn: string
  readonly attributes: ReadonlyMap<string, readonly string[]>
}

/** A group that holds the person. */
export interface DirectoryGroup {
  readonly dn: string
  readonly name: string
}

/** Somebody as a sign-in understands them. */
export interface DirectoryPerson {
  /** What never changes about them in the directory. */
  readonly subject: string
  readonly username: string
  readonly email: string | null
  readonly displayName: string | null
  /** null: the role is not the directory's to say. */
  readonly role: 'admin' | 'user' | null
  /** The names of groups that are kept here. */
  readonly groups: readonly string[]
}

/** What stands in a filter for somebody else's text, RFC 4515 section 3: nothing of it can end or widen the filter. */
export const escapeFilter = (value: string): string =>
  value.replace(/[\\*()\0]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** Puts values into a filter, escaped. */
export const fillFilter = (template: string, values: { readonly username: string; readonly dn: string }): string =>
  template.replace(/\{\{(username|dn)\}\}/g, (_, name: 'username' | 'dn') => escapeFilter(values[name]))

/** The value of an attribute that is bytes: a GUID as Microsoft writes it, everything else as text. */
export const readId = (attribute: string, bytes: Buffer): string => {
  if (attribute.toLowerCase() !== 'objectguid' || bytes.length !== 16) return bytes.toString('utf8')
  const hex = (from: number, to: number) => bytes.subarray(from, to).toString('hex')
  const turned = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).reverse().toString('hex')
  return [turned(0, 4), turned(4, 6), turned(6, 8), hex(8, 10), hex(10, 16)].join('-')
}

/** Who an entry is; the name of an attribute that is missing or unusable otherwise. */
export const personOf = (
  settings: SavedLdap,
  entry: DirectoryEntry,
  groups: readonly DirectoryGroup[],
): { person: DirectoryPerson } | { lacking: string } => {
  const { attributes } = settings
  const first = (name: string): string => valuesOf(entry, name)[0]?.trim() ?? ''
  const ids = valuesOf(entry, attributes.id)
  const subject = ids.length === 1 ? (ids[0] ?? '').trim() : ''
  if (subject === '') return { lacking: attributes.id }
  const username = Username.safeParse(first(attributes.username))
  if (!username.success) return { lacking: attributes.username }
  const email = Email.safeParse(first(attributes.email))
  const isIn = (wanted: string) => groups.some(({ dn, name }) => same(name, wanted) || same(dn, wanted))
  return {
    person: {
      subject,
      username: username.data,
      email: email.success ? email.data : null,
      displayName: first(attributes.displayName).slice(0, 120) || null,
      role:
        settings.administratorGroups.length === 0 ? null : settings.administratorGroups.some(isIn) ? 'admin' : 'user',
      groups: settings.syncGroups.filter(isIn),
    },
  }
}

/** The values of an attribute; names of attributes have no case. */
export const valuesOf = ({ attributes }: DirectoryEntry, name: string): readonly string[] => {
  for (const [key, values] of attributes) if (same(key, name)) return values
  return []
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
