import encodeJpeg, { init as initJpeg } from '@jsquash/jpeg/encode.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { drawPng, packPng } from '../../testing/drawing.ts'
import { movingWebp, printedJpeg } from '../../testing/sample-pictures.ts'
import { turnedJpeg, withOrientation } from '../../testing/turned-jpeg.ts'
import { withoutMetadata } from '../formats/picture/strip.ts'
import { compileWasm } from '../work/wasm.ts'
import { decodePicture, encodeWebp } from './codecs.ts'
import { decodeGif } from './gif.ts'
import { makeThumbnail, readPictureFacts, type Thumbnail, turnUpright } from './index.ts'
import { orientPixels, shrinkPixels, type Pixels } from './pixels.ts'

/** Red on the left, blue on the right, the lower half transparent. */
const flag = (width: number, height: number): Pixels => {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let i = 0; i < width * height; i++)
    data.set([...(i % width < width / 2 ? [255, 0, 0] : [0, 0, 255]), i < (width * height) / 2 ? 255 : 0], i * 4)
  return { data, width, height }
}
const drawFlag = (width: number, height: number): Uint8Array => {
  const { data } = flag(width, height)
  return drawPng(width, height, (x, y) => [...data.subarray((y * width + x) * 4).subarray(0, 4)] as never)
}
const encodeFlagAsJpeg = async (width: number, height: number): Promise<Uint8Array> => {
  const { data } = flag(width, height)
  for (let i = 3; i < data.length; i += 4) data[i] = 255
  return new Uint8Array(await encodeJpeg({ data, width, height } as never))
}
/** Four by four pixels, each as a code of its own: the table is cleared before it grows. */
const gifFrame = (packed: number, indices: readonly number[]): Buffer => {
  const codes = indices.flatMap((index) => [128, index])
  return Buffer.concat([
    Buffer.from([0x2c, 0, 0, 0, 0, 4, 0, 4, 0, packed, 7, codes.length]),
    Buffer.from(codes),
    Buffer.from([0]),
  ])
}

const seen = async (thumbnail: Awaited<ReturnType<typeof makeThumbnail>>) => {
  if ('failure' in thumbnail) throw new Error(thumbnail.failure)
  const { pixels } = await decodePicture(thumbnail.bytes, 10_000)
  const at = (x: number, y: number) => [...pixels.data.subarray((y * pixels.width + x) * 4).subarray(0, 4)]
  return { thumbnail: thumbnail satisfies Thumbnail, pixels, at }
}
const isRed = ([red = 0, , blue = 0]: number[]) => red > 180 && blue < 90
const isBlue = ([red = 0, , blue = 0]: number[]) => blue > 180 && red < 90

beforeAll(() => initJpeg(compileWasm('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm') as never))

describe('a thumbnail', () => {
  test('of a PNG keeps its proportions, its colours and what is transparent', async () => {
    const { thumbnail, pixels, at } = await seen(await makeThumbnail(drawFlag(1600, 1000)))
    expect(thumbnail).toMatchObject({ mediaType: 'image/webp', width: 512, height: 320 })
    expect(thumbnail.original).toEqual({ width: 1600, height: 1000 })
    expect(pixels).toMatchObject({ width: 512, height: 320 })
    expect(isRed(at(50, 50))).toBe(true)
    expect(isBlue(at(460, 50))).toBe(true)
    expect(at(50, 300)[3]).toBe(0)
  })

  test('of a JPEG is turned as it says', async () => {
    const { thumbnail, at } = await seen(await makeThumbnail(withOrientation(await encodeFlagAsJpeg(800, 400), 6)))
    expect(thumbnail).toMatchObject({ width: 256, height: 512, original: { width: 400, height: 800 } })
    expect(isRed(at(128, 100))).toBe(true)
    expect(isBlue(at(128, 400))).toBe(true)
  })

  test('of a WebP and of a small picture keeps the size', async () => {
    const webp = await encodeWebp(flag(60, 40))
    const { thumbnail, at } = await seen(await makeThumbnail(webp))
    expect(thumbnail).toMatchObject({ width: 60, height: 40, original: { width: 60, height: 40 } })
    expect(isRed(at(10, 5))).toBe(true)
  })

  test('of a GIF is its first picture', async () => {
    const gif = Buffer.concat([
      Buffer.from('GIF89a'),
      Buffer.from('0400040080' + '0000' + 'ff0000' + '0000ff' + '21f9040100000100', 'hex'),
      // Interlaced, in rows 0, 2, 1 and 3; the upper half is red, the other transparent.
      gifFrame(0x40, [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1]),
      gifFrame(
        0,
        Array.from({ length: 16 }, () => 0),
      ),
      Buffer.from(';'),
    ])
    expect(readPictureFacts(gif)).toEqual({ mediaType: 'image/gif', width: 4, height: 4 })
    const { data } = decodeGif(gif)
    const [reds, opacities] = [0, 3].map((part) => [...data].filter((_, i) => i % 4 === part))
    expect(reds).toEqual(Array.from({ length: 16 }, (_, i) => (i < 8 ? 255 : 0)))
    expect(opacities).toEqual(reds)
    expect(await makeThumbnail(gif)).toMatchObject({ width: 4, height: 4 })
  })

  test.each([
    ['nothing', new Uint8Array(0), 'unsupported'],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), 'unsupported'],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'unsupported'],
    ['a PNG that is cut off', drawFlag(400, 300).subarray(0, 600), 'damaged'],
    ['a PNG of 50,000 × 50,000', packPng(50_000, 50_000, 0, Buffer.alloc(100)), 'too_complex'],
    ['a JPEG in the colours of print', printedJpeg, 'damaged'],
    ['a JPEG that is cut off', printedJpeg.subarray(0, 60), 'unsupported'],
    ['a WebP that moves', movingWebp(), 'damaged'],
    ['a JPEG of nothing', Buffer.from('ffd8ffc0000b08012c012c01011100ffd9', 'hex'), 'damaged'],
    ['a GIF without a frame', Buffer.from('47494638396104000400000000', 'hex'), 'damaged'],
  ])('is not made of %s', async (_, bytes, failure) => {
    expect(await makeThumbnail(new Uint8Array(bytes))).toEqual({ failure })
  })

  test('is called off', async () => {
    const signal = AbortSignal.abort()
    await expect(makeThumbnail(drawFlag(10, 10), { signal })).rejects.toMatchObject({ kind: 'aborted' })
  })
})

test('an AVIF tells its size, and is not decoded', async () => {
  const box = (type: string, ...inside: Buffer[]) => {
    const body = Buffer.concat(inside)
    const head = Buffer.alloc(8)
    head.writeUInt32BE(body.length + 8, 0)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, body])
  }
  const size = (width: number, height: number) => {
    const body = Buffer.alloc(12)
    body.writeUInt32BE(width, 4)
    body.writeUInt32BE(height, 8)
    return box('ispe', body)
  }
  const properties = box('iprp', box('ipco', size(64, 64), size(1920, 1080)))
  const avif = Buffer.concat([box('ftyp', Buffer.from('avif\0\0\0\0mif1')), box('meta', Buffer.alloc(4), properties)])
  expect(readPictureFacts(avif)).toEqual({ mediaType: 'image/avif', width: 1920, height: 1080 })
  expect(readPictureFacts(avif.subarray(0, 60))).toBeNull()
  expect(await makeThumbnail(avif)).toEqual({ failure: 'unsupported' })
})

describe('pixels', () => {
  const numbered = (width: number, height: number): Pixels => ({
    width,
    height,
    data: new Uint8ClampedArray(Array.from({ length: width * height }, (_, i) => [i, 0, 0, 255]).flat()),
  })
  const reds = ({ data }: Pixels) => [...data].filter((_, i) => i % 4 === 0)

  test.each([
    [1, [0, 1, 2, 3, 4, 5]],
    [2, [2, 1, 0, 5, 4, 3]],
    [3, [5, 4, 3, 2, 1, 0]],
    [4, [3, 4, 5, 0, 1, 2]],
    [5, [0, 3, 1, 4, 2, 5]],
    [6, [3, 0, 4, 1, 5, 2]],
    [7, [5, 2, 4, 1, 3, 0]],
    [8, [2, 5, 1, 4, 0, 3]],
  ])('orientation %i puts them where they are seen', (orientation, order) => {
    const turnedPixels = orientPixels(numbered(3, 2), orientation)
    expect(reds(turnedPixels)).toEqual(order)
    expect(turnedPixels.width).toBe(orientation < 5 ? 3 : 2)
  })

  test('are averaged by what can be seen of them', () => {
    const data = new Uint8ClampedArray([200, 0, 0, 255, 0, 200, 0, 0, 100, 0, 0, 255, 0, 200, 0, 0])
    expect([...shrinkPixels({ data, width: 2, height: 2 }, 2).data]).toEqual([150, 0, 0, 128])
  })
})

describe('a picture that says how it is to be turned', () => {
  test('is given with its pixels as they are seen, and says nothing of it any more', async () => {
    // Turned by a quarter to the right, what is stored on the left is seen above.
    const upright = await turnUpright(await turnedJpeg({ width: 64, height: 32 }, 6))
    if (upright === null || 'failure' in upright) throw new Error('it was not turned')
    expect(readPictureFacts(upright.bytes)).toEqual({ mediaType: 'image/jpeg', width: 32, height: 64 })
    expect(withoutMetadata(upright.bytes, 'image/jpeg').orientation).toBe(1)
    const { pixels } = await decodePicture(upright.bytes, 1000)
    const at = (x: number, y: number) => [...pixels.data.subarray((y * pixels.width + x) * 4).subarray(0, 4)]
    expect([isRed(at(16, 4)), isBlue(at(16, 60))]).toEqual([true, true])
  })

  test('stays as it is where it is upright, and is told where it cannot be read', async () => {
    expect(await turnUpright(await turnedJpeg({ width: 16, height: 16 }, 1))).toBeNull()
    expect(await turnUpright(drawFlag(16, 16))).toBeNull()
    expect(await turnUpright(withOrientation(printedJpeg, 6))).toEqual({ failure: expect.any(String) })
  })
})
