import { expect, test } from 'vitest'
import { samplePng } from '../../../testing/sample-pictures.ts'
import { toShowable } from './partials.ts'

/** A PNG that says how large it is. */
const sized = (width: number, height: number): Buffer => {
  const png = Buffer.from(samplePng(4, 3))
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return png
}

test('a draft is shown as what its bytes are, whatever it was called', () => {
  const bytes = samplePng(4, 3)
  expect(toShowable({ bytes, mediaType: 'image/jpeg' })).toEqual({ bytes, mediaType: 'image/png' })
})

test('a draft that is none, or harms whoever shows it, is left out', () => {
  expect(toShowable({ bytes: Buffer.from('<svg/>'), mediaType: 'image/png' })).toBeNull()
  expect(toShowable({ bytes: sized(50_000, 50_000), mediaType: 'image/png' })).toBeNull()
  expect(
    toShowable({ bytes: Buffer.concat([sized(4, 3), Buffer.alloc(5_000_000)]), mediaType: 'image/png' }),
  ).toBeNull()
})
