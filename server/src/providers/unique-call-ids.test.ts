import { expect, test } from 'vitest'
import { createCallIds } from './unique-call-ids.ts'

test('an id that repeats gets another one, and its result the same', () => {
  const ids = createCallIds()
  expect([ids.call('call_0'), ids.result('call_0')]).toEqual(['call_0', 'call_0'])
  expect([ids.call('call_0'), ids.result('call_0')]).toEqual(['call_0_2', 'call_0_2'])
  expect([ids.call('call_0_2'), ids.call('call_0')]).toEqual(['call_0_2_2', 'call_0_3'])
})

test('of several calls of one id that wait, results belong to them in their order', () => {
  const ids = createCallIds()
  expect(['a', 'a', 'b'].map((id) => ids.call(id))).toEqual(['a', 'a_2', 'b'])
  expect(['b', 'a', 'a', 'a'].map((id) => ids.result(id))).toEqual(['b', 'a', 'a_2', 'a_2'])
  expect(ids.result('unknown')).toBe('unknown')
})

test('ids that become equal by their form are told apart', () => {
  const ids = createCallIds((id) => id.replace(/\W/g, '_'))
  expect(['a.b', 'a:b'].map((id) => ids.call(id))).toEqual(['a_b', 'a_b_2'])
  expect(['a:b', 'a.b'].map((id) => ids.result(id))).toEqual(['a_b_2', 'a_b'])
})

test('a history of one id only is numbered in one pass', () => {
  const ids = createCallIds()
  let last = ''
  for (let at = 0; at < 100_000; at += 1) last = ids.call('call_0')
  expect(last).toBe('call_0_100000')
})
