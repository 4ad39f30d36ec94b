/** A table of people as a spreadsheet writes it. Pure. */
import type { ImportLine } from '@atrium/contract/user-administration'
import { parseCsv } from '../../../lib/csv.ts'

export const mostPeople = 500

/** What columns are called, without case, spaces and signs. */
const names: Readonly<Record<keyof ImportLine, readonly string[]>> = {
  username: ['username', 'login', 'user', 'account'],
  displayName: ['displayname', 'name', 'fullname'],
  email: ['email', 'mail', 'emailaddress'],
  role: ['role'],
  groups: ['groups', 'group', 'teams', 'team'],
}

export type ReadTable =
  | { readonly fault: 'empty' | 'columns' | 'too-many' }
  | { readonly fault: null; readonly people: readonly ImportLine[] }

/** The people of a table whose first row names its columns; other columns are left out. */
export function readPeople(text: string): ReadTable {
  const [head, ...rows] = parseCsv(text)
  if (!head || rows.length === 0) return { fault: 'empty' }
  const titles = head.map((title) => title.toLowerCase().replace(/[^\p{L}]/gu, ''))
  const columnOf = (field: keyof ImportLine) => titles.findIndex((title) => names[field].includes(title))
  const columns = {
    username: columnOf('username'),
    displayName: columnOf('displayName'),
    email: columnOf('email'),
    role: columnOf('role'),
    groups: columnOf('groups'),
  }
  if (columns.username < 0 && columns.email < 0) return { fault: 'columns' }
  if (rows.length > mostPeople) return { fault: 'too-many' }
  const people = rows.map((row) => {
    const value = (column: number) => (row[column] ?? '').trim().replace(/^'(?=[=+\-@])/, '')
    return {
      username: value(columns.username).slice(0, 300),
      displayName: value(columns.displayName).slice(0, 300),
      email: value(columns.email).slice(0, 300),
      role: value(columns.role).slice(0, 40),
      groups: value(columns.groups)
        .split(/[;|]/)
        .map((group) => group.trim().slice(0, 200))
        .filter(Boolean)
        .slice(0, 20),
    }
  })
  return { fault: null, people }
}
