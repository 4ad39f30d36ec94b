import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { readExif } from './exif.ts'
import { readHead } from './head.ts'
import { withoutMetadata } from './strip.ts'

/** Exif with a place, a camera and how the picture is to be turned. */
const tiff = (orientation: number): Buffer => {
  const block = Buffer.alloc(80)
  block.write('II*\0', 0, 'latin1')
  block.writeUInt32LE(8, 4)
  block.writeUInt16LE(3, 8)
  const entry = (at: number, tag: number, type: number, value: number): void => {
    block.writeUInt16LE(tag, at)
    block.writeUInt16LE(type, at + 2)
    block.writeUInt32LE(1, at + 4)
    block.writeUInt32LE(value, at + 8)
  }
  entry(10, 0x0112, 3, orientation)
  entry(22, 0x010f, 2, 0x4d4143)
  entry(34, 0x8825, 4, 60)
  block.write('48.2082 N', 60, 'latin1')
  return block
}
const xmp = '<x:xmpmeta><rdf:Description exif:GPSLatitude="48,12.5N"/></x:xmpmeta>'
const secrets = /48[.,]|MAC|GPS|film behind/

const segment = (marker: number, inside: Buffer | string): Buffer => {
  const body = Buffer.from(inside as string)
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
const frame = segment(0xc0, Buffer.from('0800640064030122000211010311 01'.replaceAll(' ', ''), 'hex'))
const scan = Buffer.concat([segment(0xda, Buffer.from('0101003f00', 'hex')), Buffer.from('12ff0034ffd056', 'hex')])
const jpeg = (orientation: number): Buffer =>
  Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    segment(0xe0, 'JFIF\0'),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff(orientation)])),
    segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${xmp}`),
    segment(0xe2, 'ICC_PROFILE\0colours'),
    segment(0xe2, 'MPF\0more pictures'),
    segment(0xed, 'Photoshop 3.0\0GPS'),
    segment(0xfe, 'GPS 48.2'),
    frame,
    scan,
    segment(0xc4, 'table'),
    scan,
    Buffer.from('ffd9', 'hex'),
    Buffer.from('film behind: 48.2082'),
  ])

const chunk = (kind: string, inside: Buffer | string): Buffer => {
  const body = Buffer.concat([Buffer.from(kind), Buffer.from(inside as string)])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(body.length - 4, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}
const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const ihdr = chunk('IHDR', Buffer.from('00000064000000640806000000', 'hex'))
const png = (orientation: number): Buffer =>
  Buffer.concat([
    ...[signature, ihdr, chunk('eXIf', tiff(orientation)), chunk('tEXt', 'Comment\0GPS'), chunk('IDAT', 'pixels')],
    ...[chunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${xmp}`), chunk('IEND', ''), Buffer.from('film behind')],
  ])

const riffChunk = (kind: string, inside: Buffer): Buffer => {
  const head = Buffer.from(`${kind}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(inside.length, 4)
  return Buffer.concat([head, inside, Buffer.alloc(inside.length % 2)])
}
const webp = (orientation: number): Buffer => {
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    riffChunk('VP8X', Buffer.from('0c000000630000630000', 'hex')),
    riffChunk('VP8L', Buffer.from('pixels!')),
    riffChunk('EXIF', tiff(orientation)),
    riffChunk('XMP ', Buffer.from(xmp)),
  ])
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body, Buffer.from('film behind')])
}

const orientationIn = (data: Buffer): number => {
  const at = data.indexOf('MM\0*', 0, 'latin1')
  return at < 0 ? 1 : readExif(data.subarray(at)).orientation
}

test.each([
  ['image/jpeg', jpeg, [frame, scan, segment(0xe2, 'ICC_PROFILE\0colours'), segment(0xe0, 'JFIF\0')]],
  ['image/png', png, [ihdr, chunk('IDAT', 'pixels'), chunk('IEND', '')]],
  ['image/webp', webp, [riffChunk('VP8L', Buffer.from('pixels!'))]],
] as const)(
  'of a %s the place, the camera and what is behind it are taken out, and nothing that is drawn',
  (mediaType, make, drawn) => {
    for (const orientation of [1, 6]) {
      const stripped = withoutMetadata(make(orientation), mediaType)
      const bytes = Buffer.from(stripped.bytes)
      expect(stripped).toMatchObject({ located: true, orientation })
      expect(bytes.toString('latin1')).not.toMatch(secrets)
      for (const piece of drawn) expect(bytes.includes(piece)).toBe(true)
      expect(orientationIn(bytes)).toBe(orientation)
      expect(readHead(bytes)).toMatchObject({ mediaType, width: 100, height: 100 })
      // What is clean stays as it is, and tells of nothing.
      expect(withoutMetadata(bytes, mediaType)).toEqual({ bytes, located: false, orientation })
    }
  },
)

test('of a gif comments and XMP are taken out', () => {
  const head = Buffer.from('47494638396101000100000000', 'hex')
  const comment = Buffer.concat([Buffer.from('21fe08', 'hex'), Buffer.from('GPS 48.2'), Buffer.from('00', 'hex')])
  const loop = Buffer.concat([
    Buffer.from('21ff0b', 'hex'),
    Buffer.from('NETSCAPE2.0'),
    Buffer.from('0301000000', 'hex'),
  ])
  const image = Buffer.from('2c00000000010001000002024c010 03b'.replaceAll(' ', ''), 'hex')
  const { bytes } = withoutMetadata(Buffer.concat([head, comment, loop, image, Buffer.from('behind')]), 'image/gif')
  expect(Buffer.from(bytes)).toEqual(Buffer.concat([head, loop, image]))
})

test.each(['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const)(
  'a broken %s harms nobody, wherever it breaks',
  (mediaType) => {
    const make = {
      'image/jpeg': jpeg,
      'image/png': png,
      'image/webp': webp,
      'image/gif': () => Buffer.from('GIF89a!\xfe\xff!\xff,'),
    }
    const whole = make[mediaType](6)
    for (let length = 30; length < whole.length; length += 1) {
      expect(withoutMetadata(whole.subarray(0, length), mediaType).bytes.length).toBeLessThanOrEqual(length + 60)
    }
  },
)
