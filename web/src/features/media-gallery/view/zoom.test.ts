import { expect, test } from 'vitest'
import { fitInside, moveBy, whole, zoomAt } from './zoom.ts'

const size = (width: number, height: number) => ({ width, height })
const frame = { frame: size(400, 300), picture: size(400, 200) }

test('a picture is shown whole, and never larger than it is', () => {
  expect(fitInside(size(800, 400), size(400, 300))).toEqual(size(400, 200))
  expect(fitInside(size(40, 20), size(400, 300))).toEqual(size(40, 20))
})

test('what is under the pointer stays there when it grows', () => {
  expect(zoomAt(whole, 2, { x: 100, y: 0 }, frame)).toEqual({ scale: 2, x: -100, y: 0 })
  expect(zoomAt(whole, 100, { x: 0, y: 0 }, frame).scale).toBe(8)
  expect(zoomAt({ scale: 2, x: -100, y: 20 }, 0.1, { x: 50, y: 50 }, frame)).toEqual(whole)
})

test('it is moved as far as its edge', () => {
  const view = { scale: 2, x: 0, y: 0 }
  expect(moveBy(view, 150, 10, frame)).toEqual({ scale: 2, x: 150, y: 10 })
  expect(moveBy(view, -900, 900, frame)).toEqual({ scale: 2, x: -200, y: 50 })
  expect(moveBy(whole, 30, 30, frame)).toEqual(whole)
})
