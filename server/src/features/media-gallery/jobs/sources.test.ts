import { expect, test } from 'vitest'
import { drawnBy } from '../../../../../e2e/provider/pictures.ts'
import { samplePng } from '../../../testing/sample-pictures.ts'
import { toSource } from './sources.ts'

const refused = (message: string) => expect.objectContaining({ issues: [{ path: 'body.images', message }] })
const [drawn] = drawnBy('painter-avif')
const avif = drawn?.whole ?? Buffer.alloc(0)

test('an AVIF is a source where the model takes it, and is refused by its name where not', () => {
  expect(toSource(avif, 'images', true)).toMatchObject({ mediaType: 'image/avif', name: 'images.avif' })
  const message = 'this model takes PNG, JPEG and WebP, and this image is AVIF'
  expect(() => toSource(avif, 'images')).toThrow(refused(message))
  const cut = avif.subarray(0, -1)
  expect(() => toSource(cut, 'images', true)).toThrow(/./)
})

test('what is no picture is refused with what is taken, and a mask is a PNG', () => {
  expect(() => toSource(Buffer.from('<svg/>'), 'images')).toThrow(refused('takes PNG, JPEG and WebP'))
  expect(() => toSource(Buffer.from('<svg/>'), 'images', true)).toThrow(refused('takes PNG, JPEG, WebP and AVIF'))
  expect(() => toSource(avif, 'mask', true)).toThrow(
    expect.objectContaining({ issues: [{ path: 'body.mask', message: 'takes a PNG' }] }),
  )
  expect(toSource(samplePng(4, 3), 'mask')).toMatchObject({ mediaType: 'image/png' })
})
