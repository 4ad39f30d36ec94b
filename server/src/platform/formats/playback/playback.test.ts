import { describe, expect, test } from 'vitest'
import { measureFile, partsOf } from './measure.ts'
import { mediaTypeOf } from './type.ts'

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const little32 = (value: number): Buffer => uint32(value).reverse()

const wav = (seconds: number, says = seconds): Buffer =>
  Buffer.concat([
    ...[latin('RIFF\0\0\0\0WAVEfmt '), little32(16), Buffer.from('01000100803e0000007d000002001000', 'hex')],
    ...[
      latin('LIST'),
      little32(3),
      latin('abc\0'),
      latin('data'),
      little32(says * 32_000),
      Buffer.alloc(seconds * 32_000),
    ],
  ])
const box = (type: string, ...inside: Buffer[]): Buffer => {
  const body = Buffer.concat(inside)
  return Buffer.concat([uint32(body.length + 8), latin(type), body])
}
const trackHead = (width: number, height: number, matrix: readonly number[]): Buffer => {
  const body = Buffer.alloc(84)
  for (const [at, value] of matrix.entries()) body.writeInt32BE(value, 40 + at * 4)
  body.writeUInt32BE(width * 65_536, 76)
  body.writeUInt32BE(height * 65_536, 80)
  return box('tkhd', body)
}
const upright = [65_536, 0, 0, 0, 65_536, 0]
const turned = [0, 65_536, 0, -65_536, 0, 0]
const mp4 = (brand: string, ...tracks: Buffer[]): Buffer => {
  const head = Buffer.alloc(100)
  head.writeUInt32BE(1000, 12)
  head.writeUInt32BE(2500, 16)
  const movie = box('moov', box('mvhd', head), ...tracks.map((track) => box('trak', track)))
  return Buffer.concat([box('ftyp', latin(brand), uint32(0)), box('mdat', Buffer.alloc(5000)), movie])
}
const element = (id: string, ...inside: Buffer[]): Buffer => {
  const body = Buffer.concat(inside)
  return Buffer.concat([Buffer.from(id, 'hex'), uint32(0x1000_0000 + body.length), body])
}
const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}
const webm = Buffer.concat([
  element('1a45dfa3', element('4282', latin('webm'))),
  element(
    '18538067',
    element('1549a966', element('2ad7b1', Buffer.from('0f4240', 'hex')), element('4489', double(1500))),
    element(
      '1654ae6b',
      element('ae', element('e0', element('b0', Buffer.from([2, 128])), element('ba', Buffer.from([1, 104])))),
    ),
    element('1f43b675', Buffer.alloc(100)),
  ),
])
const page = (granule: number, inside: Buffer): Buffer => {
  const head = Buffer.alloc(28)
  head.write('OggS', 'latin1')
  head.writeBigInt64LE(BigInt(granule), 6)
  return Buffer.concat([head, inside])
}
const opus = Buffer.concat([
  page(0, Buffer.concat([latin('OpusHead\x01\x01'), Buffer.from([0x38, 1]), Buffer.alloc(7)])),
  page(96_312, Buffer.alloc(400)),
])
const flac = Buffer.concat([
  latin('fLaC\x80\0\0\x22'),
  Buffer.from('0000000000000000 0000 0ac442f0 00015888'.replaceAll(' ', ''), 'hex'),
  Buffer.alloc(16),
])
/** Frames of 417 bytes: 128 kbit/s at 44.1 kHz. */
const mp3Frames = (count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => Buffer.concat([Buffer.from('fffb9000', 'hex'), Buffer.alloc(413)])))
const mp3 = Buffer.concat([latin('ID3\x03\0\0\0\0\0\x0a'), Buffer.alloc(10), mp3Frames(100)])
const adts = Buffer.concat(
  Array.from({ length: 50 }, () =>
    Buffer.concat([Buffer.from('fff1508002800000', 'hex').subarray(0, 7), Buffer.alloc(13)]),
  ),
)

describe('a film or a sound', () => {
  test.each([
    ['audio', 'audio/wav', wav(2), { durationMs: 2000 }],
    ['audio', 'audio/flac', flac, { durationMs: 2000 }],
    ['audio', 'audio/ogg', opus, { durationMs: 2000 }],
    ['audio', 'audio/mpeg', mp3, { durationMs: 2606 }],
    ['audio', 'audio/aac', adts, { durationMs: 1161 }],
    ['audio', 'audio/mp4', mp4('M4A ', trackHead(0, 0, upright)), { durationMs: 2500, width: null }],
    ['audio', 'audio/webm', webm, { durationMs: 1500 }],
    ['video', 'video/webm', webm, { durationMs: 1500, width: 640, height: 360 }],
    [
      'video',
      'video/mp4',
      mp4('isom', trackHead(0, 0, upright), trackHead(640, 360, upright)),
      { durationMs: 2500, width: 640, height: 360 },
    ],
    [
      'video',
      'video/quicktime',
      mp4('qt  ', trackHead(640, 360, turned)),
      { durationMs: 2500, width: 360, height: 640 },
    ],
  ] as const)(
    'of kind %s is %s by its bytes, and is measured by its head',
    async (kind, mediaType, bytes, measures) => {
      expect(mediaTypeOf(bytes, kind)).toBe(mediaType)
      expect(await measureFile(partsOf(bytes), mediaType)).toMatchObject(measures)
      // Cut off anywhere it harms nobody.
      for (let length = 0; length < Math.min(bytes.length, 400); length += 7)
        await measureFile(partsOf(bytes.subarray(0, length)), mediaType)
    },
  )

  test('is as long as what is there, whatever its head says', async () => {
    expect(await measureFile(partsOf(wav(1, 10_000)), 'audio/wav')).toMatchObject({ durationMs: 1000 })
    expect(await measureFile(partsOf(wav(0)), 'audio/wav')).toMatchObject({ durationMs: null })
  })
})

describe('a type by bytes', () => {
  test.each([
    ['image/png', '\x89PNG\r\n\x1a\n'],
    ['image/jpeg', '\xff\xd8\xff\xe0'],
    ['image/gif', 'GIF89a'],
    ['image/webp', 'RIFF\0\0\0\0WEBP'],
    ['image/avif', '\0\0\0\x20ftypavif'],
    ['image/avif', '\0\0\0\x18ftypmif1\0\0\0\0avif'],
  ])('is %s', (mediaType, head) => expect(mediaTypeOf(latin(head), 'image')).toBe(mediaType))

  test.each([
    ['image', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['image', '<!doctype html>'],
    ['image', '\0\0\0\x18ftypheic\0\0\0\0mif1'],
    ['image', '%PDF-1.7'],
    ['image', ''],
    ['video', 'RIFF\0\0\0\0AVI '],
    ['video', '\x1a\x45\xdf\xa3\x01\0\0\0\x42\x82\x88matroska'],
    ['video', '\0\0\0\x20ftypavif'],
    ['video', '\0\0\0\x20ftypheic'],
    ['audio', '\0\0\0\x20ftypqt  '],
    ['video', '{"error":"no"}'],
    ['audio', 'OggS\0\0\x80theora'],
    ['audio', '\xff\xfe\0\0'],
    ['audio', '\x89PNG\r\n\x1a\n'],
  ] as const)('is none of those of a kind of %s for %j', (kind, head) =>
    expect(mediaTypeOf(latin(head), kind)).toBe(null),
  )
})
