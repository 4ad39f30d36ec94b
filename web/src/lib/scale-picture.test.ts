import { expect, test } from 'vitest'
import { placesOf } from './scale-picture.ts'

const square = { fit: 'cover', width: 256, height: 256 } as const

test.each([
  ['a wide picture loses both ends', { width: 800, height: 400 }, { x: 200, y: 0, width: 400, height: 400 }],
  ['a tall one top and bottom', { width: 400, height: 600 }, { x: 0, y: 100, width: 400, height: 400 }],
  ['a small one is enlarged whole', { width: 16, height: 16 }, { x: 0, y: 0, width: 16, height: 16 }],
])('as a square, %s', (_name, size, from) => {
  expect(placesOf(size, square)).toEqual({ from, to: { width: 256, height: 256 } })
})

test.each([
  ['is made smaller with both sides', { width: 1000, height: 500 }, { width: 240, height: 120 }],
  ['stays as it is where it fits', { width: 100, height: 20 }, { width: 100, height: 20 }],
  ['keeps a side of one pixel at least', { width: 9000, height: 2 }, { width: 240, height: 1 }],
])('a whole picture %s', (_name, size, to) => {
  expect(placesOf(size, { fit: 'contain', width: 240, height: 120 })).toEqual({
    from: { x: 0, y: 0, width: size.width, height: size.height },
    to,
  })
})
