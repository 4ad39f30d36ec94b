import type { ModelVisibility } from '@atrium/contract/local-runtime'
import { describe, expect, test } from 'vitest'
import { sortModels, labelModel, moveModel, toggleName } from './model-visibility.ts'

const set = (change: Partial<ModelVisibility> = {}): ModelVisibility => ({
  hidden: [],
  order: [],
  starred: [],
  metadata: {},
  ...change,
})
const models = ['a', 'b', 'c', 'd'].map((name) => ({ name }))
const names = (visibility: ModelVisibility | null) =>
  visibility && sortModels(models, visibility).map(({ name }) => name)

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
    expect(moveModel(models, visibility, 'a', 1)?.order).toEqual(['b', 'c', 'a', 'd', 'cloud/x', 'cloud/y'])
  })
})

test('names are put on lists and taken off, and given to people', () => {
  expect(toggleName(['a'], 'b')).toEqual(['a', 'b'])
  expect(toggleName(['a', 'b'], 'a')).toEqual(['b'])
  const named = labelModel(set(), 'a', ' The first ')
  expect(named.metadata).toEqual({ a: { label: 'The first' } })
  expect(labelModel(named, 'a', ' ').metadata).toEqual({})
})
