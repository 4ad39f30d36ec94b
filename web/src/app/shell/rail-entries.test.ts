import { Search } from 'lucide-react'
import { expect, test } from 'vitest'
import type { RailEntry } from '../../lib/feature.ts'
import { moveEntry, showEntry, shownEntries, sortEntries } from './rail-entries.ts'

const entries: RailEntry[] = ['/usage', '/', '/documents'].map((to) => ({
  to,
  name: to,
  icon: Search,
  order: ['/', '/documents', '/usage'].indexOf(to),
  owns: () => false,
}))
const usual = { order: [], hidden: [] }
const addresses = (list: readonly RailEntry[]) => list.map(({ to }) => to)

test('entries stand as the features say until somebody moves one', () => {
  expect(addresses(sortEntries(entries, usual))).toEqual(['/', '/documents', '/usage'])
  const moved = moveEntry(entries, usual, '/usage', 0)
  expect(addresses(sortEntries(entries, moved))).toEqual(['/usage', '/', '/documents'])
  expect(addresses(sortEntries(entries, moveEntry(entries, moved, '/', 2)))).toEqual(['/usage', '/documents', '/'])
})

test('an entry goes no further than the ends, and one that nobody has changes nothing', () => {
  expect(moveEntry(entries, usual, '/', -1)).toEqual(usual)
  expect(moveEntry(entries, usual, '/usage', 3)).toEqual(usual)
  expect(moveEntry(entries, usual, '/gone', 0)).toEqual(usual)
})

test('an entry that came later stands behind those that were chosen, and an old choice does no harm', () => {
  const before = { order: ['/gone', '/usage'], hidden: ['/gone'] }
  expect(addresses(shownEntries(entries, before))).toEqual(['/usage', '/', '/documents'])
})

test('an entry is hidden and shown again in its place', () => {
  const hidden = showEntry(showEntry(usual, '/', false), '/', false)
  expect(hidden.hidden).toEqual(['/'])
  expect(addresses(shownEntries(entries, hidden))).toEqual(['/documents', '/usage'])
  expect(showEntry(hidden, '/', true)).toEqual(usual)
})
