import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('accounts take turns, however much one of them wants', () => {
  const turns = createTurns<string>({ places: 1, placesOfOne: 1, waitingOfOne: 10 })
  for (const value of ['a1', 'a2', 'a3']) turns.add('ann', value)
  for (const value of ['b1', 'b2']) turns.add('bob', value)
  turns.add('cat', 'c1')
  const order: string[] = []
  for (let next = turns.take(); next; next = turns.take()) {
    order.push(next)
    turns.leave({ a: 'ann', b: 'bob', c: 'cat' }[next[0] ?? ''] ?? '')
  }
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('no account takes all places, and none waits with too many', () => {
  const turns = createTurns<number>({ places: 3, placesOfOne: 2, waitingOfOne: 2 })
  expect([1, 2, 3].map((value) => turns.add('ann', value))).toEqual([true, true, false])
  expect([turns.take(), turns.take()]).toEqual([1, 2])
  expect(turns.add('ann', 3)).toBe(true)
  expect(turns.take()).toBeNull()
  expect(turns.add('bob', 4)).toBe(true)
  expect(turns.take()).toBe(4)
  turns.leave('bob')
  expect(turns.take()).toBeNull()
  expect(turns.remove(3)).toBe(true)
  expect(turns.remove(3)).toBe(false)
  turns.leave('ann')
  expect(turns.take()).toBeNull()
})
