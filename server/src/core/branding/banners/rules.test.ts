import { expect, test } from 'vitest'
import { nextChange, stateOf } from './rules.ts'

test.each([
  ['without times', null, null, 'shown'],
  ['before it begins', 101, null, 'scheduled'],
  ['from its first moment on', 100, 200, 'shown'],
  ['from its last moment on', null, 100, 'over'],
  ['after it', 10, 20, 'over'],
] as const)('a banner %s', (_name, starts_at, ends_at, state) => {
  expect(stateOf({ starts_at, ends_at }, 100)).toBe(state)
})

test('the next change is the first begin or end to come', () => {
  const spans = [
    { starts_at: 50, ends_at: 300 },
    { starts_at: 150, ends_at: 160 },
    { starts_at: 10, ends_at: 20 },
    { starts_at: null, ends_at: null },
  ]
  expect(nextChange(spans, 100)).toBe(150)
  expect(nextChange(spans, 155)).toBe(160)
  expect(nextChange(spans, 300)).toBeNull()
  expect(nextChange([], 1)).toBeNull()
})
