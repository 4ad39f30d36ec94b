import { expect, test } from 'vitest'
import { columnsOf, placeByKey } from './grid-layout.ts'

test('a row has as many tiles as fit, and two on a phone', () => {
  expect(columnsOf(1344, false)).toBe(8)
  expect(columnsOf(100, false)).toBe(1)
  expect(columnsOf(358, true)).toBe(2)
})

test('arrow keys lead to the neighbours in the grid, in the direction of the text', () => {
  const grid = { columns: 4, count: 10, isRtl: false }
  expect(placeByKey('ArrowRight', 3, grid)).toBe(4)
  expect(placeByKey('ArrowRight', 3, { ...grid, isRtl: true })).toBe(2)
  expect(placeByKey('ArrowDown', 3, grid)).toBe(7)
  expect(placeByKey('ArrowDown', 8, grid)).toBeNull()
  expect(placeByKey('ArrowUp', 3, grid)).toBeNull()
  expect([placeByKey('Home', 3, grid), placeByKey('End', 3, grid)]).toEqual([0, 9])
  expect(placeByKey('Enter', 3, grid)).toBeNull()
})
