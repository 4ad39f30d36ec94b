/** The type and size of a picture, told without decoding it. */
import { readHead, type PictureHead } from '../formats/picture/head.ts'

export interface Size {
  readonly width: number
  readonly height: number
}
export interface PictureFacts extends Size {
  readonly mediaType: PictureHead['mediaType'] | 'image/avif'
}

/** Decoded it takes four bytes a pixel, and twice that for a while. */
export const mostDecodedPixels = 40_000_000

/** Of a PNG, JPEG, WebP, GIF or AVIF, as it is stored: whoever shows it may turn it. null for anything else. */
export const readPictureFacts = (bytes: Uint8Array): PictureFacts | null => readHead(bytes) ?? readAvif(bytes)

/** Boxes (ISO/IEC 14496-12); the largest size that an item says of itself (23008-12, `ispe`) is the picture’s. */
const readAvif = (bytes: Uint8Array): PictureFacts | null => {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kind = boxIn(data, 0, data.length, 'ftyp')
  const brands = kind ? data.toString('latin1', kind.start, kind.end) : ''
  if (!/^(.{4}){0,16}avi[fs]/s.test(brands)) return null
  const meta = boxIn(data, 0, data.length, 'meta')
  const properties = meta && boxIn(data, meta.start + 4, meta.end, 'iprp')
  const container = properties && boxIn(data, properties.start, properties.end, 'ipco')
  if (!container) return null
  let size: Size = { width: 0, height: 0 }
  for (const box of boxes(data, container.start, container.end)) {
    if (box.type !== 'ispe' || box.end - box.start < 12) continue
    const next = { width: data.readUInt32BE(box.start + 4), height: data.readUInt32BE(box.start + 8) }
    if (next.width * next.height > size.width * size.height) size = next
  }
  return size.width > 0 && size.height > 0 ? { mediaType: 'image/avif', ...size } : null
}

interface Box {
  readonly type: string
  /** Of what it holds. */
  readonly start: number
  readonly end: number
}

const boxIn = (data: Buffer, start: number, end: number, type: string): Box | null => {
  for (const box of boxes(data, start, end)) if (box.type === type) return box
  return null
}

/** Ends at a box that says it is longer than what holds it. */
function* boxes(data: Buffer, start: number, end: number): Generator<Box> {
  for (let at = start; at + 8 <= end; ) {
    const size = data.readUInt32BE(at)
    const long = size === 1 && at + 16 <= end
    const length = long ? Number(data.readBigUInt64BE(at + 8)) : size === 0 ? end - at : size
    if (length < (long ? 16 : 8) || at + length > end) return
    yield { type: data.toString('latin1', at + 4, at + 8), start: at + (long ? 16 : 8), end: at + length }
    at += length
  }
}
