import type { CatalogEntry } from '@atrium/contract/tools'
import { expect, test } from 'vitest'
import { consumeForced, forceTools } from './forced-tools.ts'
import { isPicked, picksOf, toggleAskFirst, togglePick } from './tool-picks.ts'

const entry = (id: string, fields: Partial<CatalogEntry> = {}): CatalogEntry => ({
  id,
  name: id,
  description: '',
  source: 'builtin',
  serverId: null,
  serverName: null,
  sideEffect: false,
  readsPrivateData: false,
  readsForeignText: false,
  sendsData: false,
  mode: 'allow',
  rule: 'allow',
  ownMode: null,
  ...fields,
})
const server = { source: 'mcp', serverId: 's', serverName: 'S' } as const
const picks = picksOf([
  entry('builtin:a'),
  entry('builtin:b', { mode: 'never' }),
  entry('server:s/one', server),
  entry('server:s/two', server),
  entry('builtin:c', { mode: 'ask' }),
])

test('a server is one thing to tick, and what never runs is none', () => {
  expect(picks.map(({ id, count }) => [id, count])).toEqual([
    ['builtin:a', 1],
    ['builtin:c', 1],
    ['server:s', 2],
  ])
})

test('a chat that names nothing has all, and has all again once nothing is left out', () => {
  expect(isPicked(undefined, 'server:s')).toBe(true)
  const without = togglePick(undefined, picks, 'builtin:a', false)
  expect(without).toEqual({ choice: 'auto', ids: ['builtin:c', 'server:s'] })
  expect(togglePick(without, picks, 'builtin:a', true)).toEqual({ choice: 'auto' })
})

test('without any of them tools are off', () => {
  const last = { choice: 'auto', ids: ['builtin:a'] } as const
  expect(togglePick({ ...last, ids: [...last.ids] }, picks, 'builtin:a', false)).toEqual({ choice: 'off', ids: [] })
})

test('a chat asks before what it names, whatever else is ticked, and forgets what is gone', () => {
  const asking = toggleAskFirst(undefined, picks, 'builtin:a', true)
  expect(asking).toEqual({ choice: 'auto', askFirst: ['builtin:a'] })
  expect(togglePick({ ...asking, askFirst: ['builtin:a', 'builtin:gone'] }, picks, 'builtin:c', false)).toEqual({
    choice: 'auto',
    ids: ['builtin:a', 'server:s'],
    askFirst: ['builtin:a'],
  })
  expect(toggleAskFirst(asking, picks, 'builtin:a', false)).toEqual({ choice: 'auto' })
})

test('a forced call holds for one question', () => {
  forceTools('chat', true)
  expect(consumeForced('chat', { choice: 'auto', ids: ['builtin:a'] })).toEqual({ choice: 'force', ids: ['builtin:a'] })
  expect(consumeForced('chat', undefined)).toBeUndefined()
  forceTools('chat', true)
  expect(consumeForced('chat', { choice: 'off' })).toBeUndefined()
})
