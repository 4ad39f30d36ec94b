import { describe, expect, test } from 'vitest'
import { readPictureFacts } from '../../pictures/index.ts'
import { isWholeAvif, withoutAvifMetadata } from './avif.ts'
import { isWhole } from './whole.ts'

const uint16 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 0xff])))
const uint32 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => uint16(value >>> 16, value & 0xffff)))
const box = (type: string, ...inside: Buffer[]): Buffer => {
  const body = Buffer.concat(inside)
  return Buffer.concat([uint32(body.length + 8), Buffer.from(type, 'latin1'), body])
}
const version = uint32(0)
const item = (id: number, kind: string, more = ''): Buffer =>
  box('infe', uint32(0x0200_0000), uint16(id, 0), Buffer.from(`${kind}\0${more}`, 'latin1'))

const pixels = Buffer.from('the pixels of the picture')
const exif = Buffer.from('\0\0\0\0II*\0taken at 48.2082 with a MAC', 'latin1')
const xmp = Buffer.from('<x:xmpmeta exif:GPSLatitude="48,12.5N"/>')

/** The picture and what is told of it, one behind the other; what is told lies in the file, or in a box of the description. */
const avif = (within: boolean): Buffer => {
  const told = Buffer.concat([exif, xmp])
  const description = (start: number): Buffer => {
    const place = (id: number, method: number, from: number, length: number): Buffer =>
      Buffer.concat([uint16(id, method, 0, 1), uint32(from, length)])
    const method = within ? 1 : 0
    const from = within ? 0 : start + pixels.length
    return box(
      'meta',
      version,
      box('iinf', version, uint16(3), item(1, 'av01'), item(2, 'Exif'), item(3, 'mime', 'application/rdf+xml\0')),
      box(
        'iloc',
        Buffer.from([1, 0, 0, 0, 0x44, 0x00]),
        uint16(3),
        place(1, 0, start, pixels.length),
        place(2, method, from, exif.length),
        place(3, method, from + exif.length, xmp.length),
      ),
      box('iprp', box('ipco', box('ispe', version, uint32(640, 480)), box('ispe', version, uint32(64, 48)))),
      ...(within ? [box('idat', told)] : []),
    )
  }
  const brand = box('ftyp', Buffer.from('avif\0\0\0\0avifmif1', 'latin1'))
  const start = brand.length + description(0).length + 8
  return Buffer.concat([brand, description(start), box('mdat', pixels, ...(within ? [] : [told]))])
}

describe('an AVIF', () => {
  test.each([false, true])(
    'loses what is told of it and no pixel, wherever that lies (in its description: %s)',
    (within) => {
      const bytes = avif(within)
      expect(bytes.toString('latin1')).toMatch(/MAC.*GPS/)
      const stripped = withoutAvifMetadata(bytes)
      if (!stripped) throw new Error('It was not understood.')
      expect(stripped.located).toBe(true)
      const text = Buffer.from(stripped.bytes).toString('latin1')
      expect(text).not.toMatch(/48|MAC|GPS/)
      expect(text).toContain(pixels.toString())
      expect(stripped.bytes.byteLength).toBe(bytes.length)
      expect(readPictureFacts(stripped.bytes)).toEqual({ mediaType: 'image/avif', width: 640, height: 480 })
      expect(withoutAvifMetadata(stripped.bytes)).toMatchObject({ located: false })
    },
  )

  test('that is cut off anywhere is told as such, and harms nobody', () => {
    const bytes = avif(false)
    expect(isWholeAvif(bytes)).toBe(true)
    for (let length = 0; length < bytes.length; length++) {
      const part = bytes.subarray(0, length)
      expect(isWholeAvif(part) && length > bytes.length - pixels.length).toBe(false)
      const stripped = withoutAvifMetadata(part)
      if (stripped) expect(stripped.bytes.byteLength).toBe(length)
    }
  })

  test('that lies about where its parts are is not believed, and ends soon', () => {
    const bytes = avif(false)
    const at = bytes.indexOf('iloc') + 12
    for (const odd of [0xff, 0x88, 0x80, 0x77, 0x00]) {
      const broken = Buffer.from(bytes)
      broken[at - 4] = odd
      broken.fill(0xff, at, at + 40)
      expect(withoutAvifMetadata(broken)).toBeNull()
    }
  })
})

describe('whether all of a picture is there', () => {
  const scan = Buffer.from('ffda0008010100003f00123456ffd0789a', 'hex')
  const jpeg = Buffer.concat([Buffer.from('ffd8ffe100080102ffd90304', 'hex'), scan, Buffer.from('ffd9', 'hex')])
  const webp = Buffer.concat([Buffer.from('RIFF\x16\0\0\0WEBPVP8L', 'latin1'), Buffer.alloc(14)])
  const gif = Buffer.concat([
    Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1'),
    Buffer.from('2c00000000010001000002024401003b', 'hex'),
  ])
  test.each([
    ['image/jpeg', jpeg],
    ['image/webp', webp],
    ['image/gif', gif],
  ] as const)('is told of a %s by its end', (mediaType, bytes) => {
    expect(isWhole(bytes, mediaType)).toBe(true)
    // A film behind a picture does not matter.
    expect(isWhole(Buffer.concat([bytes, Buffer.from('film')]), mediaType)).toBe(true)
    expect(isWhole(bytes.subarray(0, bytes.length - 2), mediaType)).toBe(false)
  })
})
