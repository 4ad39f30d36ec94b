/** What an image says of itself in its first bytes. */

export interface ImageFacts {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
  readonly width: number
  readonly height: number
}

/** The type and size of a PNG, JPEG, WebP or GIF; null for anything else, and for a broken header. */
export const readImage = (bytes: Uint8Array): ImageFacts | null => {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const facts = readPng(data) ?? readGif(data) ?? readWebp(data) ?? readJpeg(data)
  return facts && facts.width > 0 && facts.height > 0 ? facts : null
}

const readPng = (data: Buffer): ImageFacts | null => {
  if (data.length < 24 || data.readUInt32BE(0) !== 0x89504e47 || data.readUInt32BE(4) !== 0x0d0a1a0a) return null
  if (data.toString('latin1', 12, 16) !== 'IHDR') return null
  return { mediaType: 'image/png', width: data.readUInt32BE(16), height: data.readUInt32BE(20) }
}

const readGif = (data: Buffer): ImageFacts | null => {
  if (data.length < 10 || !/^GIF8[79]a$/.test(data.toString('latin1', 0, 6))) return null
  return { mediaType: 'image/gif', width: data.readUInt16LE(6), height: data.readUInt16LE(8) }
}

const readWebp = (data: Buffer): ImageFacts | null => {
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

/** Walks the segments of a JPEG to the frame header. */
const readJpeg = (data: Buffer): ImageFacts | null => {
  if (data.length < 4 || data.readUInt16BE(0) !== 0xffd8) return null
  let at = 2
  while (at + 9 < data.length) {
    if (data[at] !== 0xff) return null
    const marker = data[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { mediaType: 'image/jpeg', height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) }
    at += 2 + data.readUInt16BE(at + 2)
  }
  return null
}
