import type { ShownVisibility } from '@atrium/contract/local-runtime'
import { describe, expect, test } from 'vitest'
import { asTheyCome, labelModel, moveModel, setGroups, setHidden, sortKeys, toggleKey } from './change.ts'

const set = (change: Partial<ShownVisibility> = {}): ShownVisibility => ({ ...asTheyCome, ...change })
const models = ['a', 'b', 'c', 'd']
const names = (visibility: ShownVisibility | null) => visibility && sortKeys(models, visibility)

test('recommended models come first, then those with a place, then the rest', () => {
  expect(names(set())).toEqual(['a', 'b', 'c', 'd'])
  expect(names(set({ order: ['d', 'gone', 'b'] }))).toEqual(['d', 'b', 'a', 'c'])
  expect(names(set({ order: ['d', 'b'], starred: ['c', 'b'] }))).toEqual(['b', 'c', 'd', 'a'])
})

describe('a model moves', () => {
  test('past its neighbour, and back', () => {
    const down = moveModel(models, set(), 'a', 1)
    expect(names(down)).toEqual(['b', 'a', 'c', 'd'])
    expect(names(moveModel(models, down ?? set(), 'a', -1))).toEqual(['a', 'b', 'c', 'd'])
  })

  test('not beyond the ends, and not out of the recommended ones', () => {
    expect(moveModel(models, set(), 'a', -1)).toBeNull()
    expect(moveModel(models, set(), 'd', 1)).toBeNull()
    expect(moveModel(models, set(), 'gone', 1)).toBeNull()
    expect(moveModel(models, set({ starred: ['a', 'b'] }), 'b', 1)).toBeNull()
    expect(names(moveModel(models, set({ starred: ['a', 'b'] }), 'b', -1))).toEqual(['b', 'a', 'c', 'd'])
  })

  test('and leaves models of other providers in their order', () => {
    const visibility = set({ order: ['cloud/x', 'b', 'cloud/y'] })
    expect(moveModel(models, visibility, 'a', 1)?.order).toEqual(['b', 'c', 'a', 'cloud/x', 'cloud/y'])
  })
})

test('names are put on lists and taken off, and given to people', () => {
  expect(toggleKey(['a'], 'b')).toEqual(['a', 'b'])
  expect(toggleKey(['a', 'b'], 'a')).toEqual(['b'])
  const named = labelModel(set(), 'a', ' The first ')
  expect(named.metadata).toEqual({ a: { label: 'The first' } })
  expect(labelModel(named, 'a', ' ').metadata).toEqual({})
})

test('several models are hidden and kept for groups at once, and shown to everybody again', () => {
  const hidden = setHidden(set({ hidden: ['z', 'a'] }), ['a', 'b'], true)
  expect(hidden.hidden).toEqual(['z', 'a', 'b'])
  expect(setHidden(hidden, ['z', 'b'], false).hidden).toEqual(['a'])
  const kept = setGroups(set({ groups: { a: ['x'], z: ['y'] } }), ['a', 'b'], ['staff'])
  expect(kept.groups).toEqual({ z: ['y'], a: ['staff'], b: ['staff'] })
  expect(setGroups(kept, ['a', 'z'], []).groups).toEqual({ b: ['staff'] })
})
