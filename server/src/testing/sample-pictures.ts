/** Small pictures for tests, each with a head and an end. */
import { deflateSync } from 'node:zlib'
import { pngChunk } from '../platform/formats/picture/png-chunk.ts'

interface PngOptions {
  readonly says?: { readonly width: number; readonly height: number }
  readonly more?: readonly [string, Buffer][]
  readonly clear?: boolean
}

/** A PNG of one colour; `says` is what its head says instead of its size, `more` other chunks, `clear` half transparent. */
export const samplePng = (
  width: number,
  height: number,
  { says = { width, height }, more = [], clear = false }: PngOptions = {},
): Uint8Array<ArrayBuffer> => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(says.width, 0)
  head.writeUInt32BE(says.height, 4)
  head.set([8, clear ? 6 : 2, 0, 0, 0], 8)
  const line = 1 + width * (clear ? 4 : 3)
  const rows = Buffer.alloc(height * line, 0x7f)
  for (let row = 0; row < height; row++) rows[row * line] = 0
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      pngChunk('IHDR', head),
      ...more.map(([kind, inside]) => pngChunk(kind, inside)),
      pngChunk('IDAT', deflateSync(rows)),
      pngChunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

/** A JPEG of eight pixels by eight in cyan, magenta, yellow and black, as printers want it: one block each, all zero. */
export const printedJpeg = new Uint8Array(
  Buffer.concat([
    Buffer.from('ffd8ffdb004300', 'hex'),
    Buffer.alloc(64, 1),
    Buffer.from('ffc00014080008000804011100021100031100041100', 'hex'),
    Buffer.from(`ffc400140001${'00'.repeat(15)}00ffc400141001${'00'.repeat(15)}00`, 'hex'),
    Buffer.from('ffda000e040100020003000400003f0000ffd9', 'hex'),
  ]),
)

/** Of RIFF, as WebP has them: padded to even. */
const riffChunk = (kind: string, inside: Buffer): Buffer => {
  const head = Buffer.from(`${kind}    `, 'latin1')
  head.writeUInt32LE(inside.length, 4)
  return Buffer.concat([head, inside, Buffer.alloc(inside.length % 2)])
}

/** A WebP of one pixel that moves: two frames of a tenth of a second. */
export const movingWebp = (): Uint8Array<ArrayBuffer> => {
  const still = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64').subarray(12)
  const frame = riffChunk('ANMF', Buffer.concat([Buffer.alloc(12), Buffer.from('64000000', 'hex'), still]))
  const size = riffChunk('VP8X', Buffer.from('02000000000000000000', 'hex'))
  const background = riffChunk('ANIM', Buffer.from('ffffffff0000', 'hex'))
  return new Uint8Array(riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), size, background, frame, frame])))
}
