/** A mask whose transparent parts are drawn anew, as one whose white parts are (PNG, W3C 2025). */
import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'
import { pngChunk } from '../../platform/formats/picture/png-chunk.ts'
import { createTimeSlice } from '../time-slice.ts'
import { ProviderFailure } from '../types.ts'

/** More than the makers take that want a mask in white. */
const mostPixels = 9_437_184
const signature = Buffer.from('89504e470d0a1a0a', 'hex')
/** Of the colour types that have transparency for each pixel: how many bytes a pixel has. */
const bytesPerPixel: Readonly<Record<number, number>> = { 4: 2, 6: 4 }

/** Grey of 8 bits: white where the mask is transparent, black where it is not. Throws ProviderFailure. */
export async function toWhiteMask(png: Uint8Array): Promise<Uint8Array> {
  const chunks = chunksOf(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
  const head = chunks.find(({ kind }) => kind === 'IHDR')?.inside
  if (!head || head.length < 13) throw unfitMask()
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  const [depth, colour, , , interlaced] = head.subarray(8)
  const step = bytesPerPixel[colour ?? 0]
  if (step === undefined || depth !== 8 || interlaced !== 0 || width === 0 || height === 0) throw unfitMask()
  if (width * height > mostPixels)
    throw new ProviderFailure('too_large', 'This model accepts masks of at most 9 megapixels.', 413)
  const length = height * (1 + width * step)
  const data = Buffer.concat(chunks.filter(({ kind }) => kind === 'IDAT').map(({ inside }) => inside))
  const rows = await promisify(inflate)(data, { maxOutputLength: length }).catch(() => null)
  if (rows?.length !== length) throw unfitMask()
  const grey = await invertAlpha(rows, { width, height, step })
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 0, 0, 0, 0], 8)
  const packed = await promisify(deflate)(grey, { level: 1 })
  return Buffer.concat([signature, pngChunk('IHDR', size), pngChunk('IDAT', packed), pngChunk('IEND', Buffer.alloc(0))])
}

const unfitMask = (): ProviderFailure =>
  new ProviderFailure('rejected', 'Save the mask as a PNG with transparency, 8 bits deep and not interlaced.', 400, {
    parameter: 'mask',
  })

/** Filters work on each byte of a pixel by itself (9.2), so that the last one is all that is undone. */
async function invertAlpha(
  rows: Buffer,
  { width, height, step }: { readonly width: number; readonly height: number; readonly step: number },
): Promise<Buffer> {
  const slice = createTimeSlice()
  const grey = Buffer.alloc(height * (1 + width))
  let above = new Uint8Array(width)
  let alpha = new Uint8Array(width)
  for (let row = 0; row < height; row += 1) {
    const at = row * (1 + width * step)
    const undo = filters[rows[at] ?? 0]
    if (!undo) throw unfitMask()
    for (let x = 0; x < width; x += 1) {
      const [left, up, corner] = [alpha[x - 1] ?? 0, above[x] ?? 0, above[x - 1] ?? 0]
      alpha[x] = (rows[at + (x + 1) * step] ?? 0) + undo(left, up, corner)
      grey[row * (1 + width) + 1 + x] = 255 - (alpha[x] ?? 0)
    }
    ;[above, alpha] = [alpha, above]
    if (slice.isOver()) await slice.yieldToOthers()
  }
  return grey
}

const filters: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const guess = left + up - corner
    const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
    return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
  },
]

interface Chunk {
  readonly kind: string
  readonly inside: Buffer
}

function chunksOf(png: Buffer): Chunk[] {
  if (!png.subarray(0, 8).equals(signature)) throw unfitMask()
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at)
    if (at + 12 + length > png.length) throw unfitMask()
    chunks.push({ kind: png.toString('latin1', at + 4, at + 8), inside: png.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}
