import { expect, test } from 'vitest'
import { fitArea, middleOf, moveArea, thicknessOf } from './mask.ts'

const size = { width: 200, height: 100 }

test('a rectangle stays within its picture, in whole pixels', () => {
  expect(middleOf(size)).toEqual({ x: 50, y: 25, width: 100, height: 50 })
  expect(fitArea({ x: -5, y: 90, width: 20.4, height: 40 }, size)).toEqual({ x: 0, y: 60, width: 20, height: 40 })
  expect(fitArea({ x: 10, y: 10, width: 900, height: 0 }, size)).toEqual({ x: 0, y: 10, width: 200, height: 1 })
  expect(fitArea({ x: Number.NaN, y: 0, width: Number.NaN, height: 5 }, size)).toMatchObject({ x: 0, width: 1 })
})

test('arrow keys move it, and change its sides where they are to', () => {
  const area = middleOf(size)
  expect(moveArea(area, size, 'ArrowRight', false)).toEqual({ ...area, x: 60 })
  expect(moveArea(area, size, 'ArrowUp', true)).toEqual({ ...area, height: 45 })
  expect(moveArea({ ...area, x: 100 }, size, 'ArrowRight', false)).toEqual({ ...area, x: 100 })
  expect(moveArea(area, size, 'Enter', false)).toBeNull()
})

test('a brush is as thick as its share of the shorter side', () => {
  expect(thicknessOf(10, size)).toBe(10)
  expect(thicknessOf(1, { width: 10, height: 10 })).toBe(1)
})
