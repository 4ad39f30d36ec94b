import { expect, test } from 'vitest'
import { offsetMinutes, readSearch, toQuery } from './search.ts'

const plain = (search: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(readSearch(search)).filter(([, value]) => value !== undefined))

test('an address is read for what it can mean', () => {
  expect(plain({ days: 7, model: 'o3', tab: 'prices', colour: 'red' })).toEqual({
    days: 7,
    model: 'o3',
    tab: 'prices',
  })
  expect(plain({ days: 8, tab: 'x', from: '2026-11-01' })).toEqual({})
  expect(plain({ from: '2026-11-02', to: '2026-11-01' })).toEqual({})
  expect(plain({ from: '2026-11-01', to: '2026-11-02' })).toEqual({ from: '2026-11-01', to: '2026-11-02' })
})

test('own days win over a span, and a month is usual', () => {
  const offset = offsetMinutes()
  expect(toQuery({})).toEqual({ days: 30, offsetMinutes: offset })
  expect(toQuery({ days: 7, from: '2026-11-01', to: '2026-11-02', status: 'error' })).toEqual({
    from: '2026-11-01',
    to: '2026-11-02',
    offsetMinutes: offset,
    status: 'error',
  })
  expect(offsetMinutes(new Date()) % 15).toBe(0)
})
