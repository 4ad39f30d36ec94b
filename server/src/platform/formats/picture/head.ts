/** What a picture says of itself, told without decoding anything. */

export interface PictureHead {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
  readonly width: number
  readonly height: number
}

/** More than any camera takes; whoever decodes such a picture needs gigabytes. */
export const mostPixels = 120_000_000

/** Whether showing a picture could harm: a small file can say that it is larger than any machine can draw. */
export const isTooLarge = ({ width, height }: Pick<PictureHead, 'width' | 'height'>): boolean =>
  width * height > mostPixels

/** The type and size of a PNG, JPEG, WebP or GIF; null for anything else, and for a broken head. */
export const readHead = (bytes: Uint8Array): PictureHead | null => {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const head = readPng(data) ?? readGif(data) ?? readWebp(data) ?? readJpeg(data)
  return head && head.width > 0 && head.height > 0 ? head : null
}

const readPng = (data: Buffer): PictureHead | null => {
  if (data.length < 24 || data.readUInt32BE(0) !== 0x89504e47 || data.readUInt32BE(4) !== 0x0d0a1a0a) return null
  if (data.toString('latin1', 12, 16) !== 'IHDR') return null
  return { mediaType: 'image/png', width: data.readUInt32BE(16), height: data.readUInt32BE(20) }
}

/** The screen, or the largest frame where that is larger: browsers make room for it. */
const readGif = (data: Buffer): PictureHead | null => {
  if (data.length < 10 || !/^GIF8[79]a$/.test(data.toString('latin1', 0, 6))) return null
  let width = data.readUInt16LE(6)
  let height = data.readUInt16LE(8)
  for (const { kind, start } of gifBlocks(data)) {
    if (kind !== gifFrame || start + 9 > data.length) continue
    width = Math.max(width, data.readUInt16LE(start + 1) + data.readUInt16LE(start + 5))
    height = Math.max(height, data.readUInt16LE(start + 3) + data.readUInt16LE(start + 7))
  }
  return { mediaType: 'image/gif', width, height }
}

export const gifFrame = 0x2c
export const gifExtension = 0x21

/** The blocks behind the head of a GIF 89a, each with where it begins and ends; ends at the trailer, or where it breaks. */
export function* gifBlocks(data: Buffer): Generator<{ kind: number; start: number; end: number }> {
  const tableBytes = (packed: number): number => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)
  let at = 13 + tableBytes(data[10] ?? 0)
  while (at < data.length) {
    const start = at
    const kind = data[at] ?? 0
    if (kind === gifExtension) at += 2
    else if (kind === gifFrame) at += 10 + tableBytes(data[at + 9] ?? 0) + 1
    else return
    while (at < data.length && data[at] !== 0) at += 1 + (data[at] ?? 0)
    at += 1
    yield { kind, start, end: Math.min(at, data.length) }
  }
}

/** Simple, lossless and extended files each say it in their own way (RFC 9649). */
const readWebp = (data: Buffer): PictureHead | null => {
  if (data.length < 30 || data.toString('latin1', 0, 4) !== 'RIFF' || data.toString('latin1', 8, 12) !== 'WEBP')
    return null
  const mediaType = 'image/webp'
  switch (data.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { mediaType, width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = data.readUInt32LE(21)
      return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { mediaType, width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}

/** The frame header stands behind any number of other segments (T.81, B.2). */
const readJpeg = (data: Buffer): PictureHead | null => {
  if (data.length < 4 || data.readUInt16BE(0) !== 0xffd8) return null
  let at = 2
  while (at + 9 < data.length) {
    if (data[at] !== 0xff) return null
    const marker = data[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (isBareMarker(marker)) {
      at += 2
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { mediaType: 'image/jpeg', height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) }
    if (marker === 0xda || marker === 0xd9) return null
    at += 2 + data.readUInt16BE(at + 2)
  }
  return null
}

/** Markers without a length behind them. */
export const isBareMarker = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
