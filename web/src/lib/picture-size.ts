/** How large a picture says that it is, read from its first bytes: a small file can claim more than any machine can draw. */

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** The size of a PNG, JPEG or WebP; null for anything else, and for a broken head. */
export function readPictureSize(bytes: Uint8Array): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const size = readPng(view) ?? readWebp(view) ?? readJpeg(view)
    return size && size.width > 0 && size.height > 0 ? size : null
  } catch (error) {
    // Read beyond the end: it is cut short.
    if (error instanceof RangeError) return null
    throw error
  }
}

const wordAt = (view: DataView, at: number): string =>
  String.fromCharCode(...Array.from({ length: 4 }, (_, index) => view.getUint8(at + index)))

function readPng(view: DataView): PictureSize | null {
  if (view.getUint32(0) !== 0x89504e47 || wordAt(view, 12) !== 'IHDR') return null
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Simple, lossless and extended files each say it in their own way (RFC 9649). */
function readWebp(view: DataView): PictureSize | null {
  if (wordAt(view, 0) !== 'RIFF' || wordAt(view, 8) !== 'WEBP') return null
  const threeBytes = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000
  switch (wordAt(view, 12)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: threeBytes(24) + 1, height: threeBytes(27) + 1 }
    default:
      return null
  }
}

/** The frame header stands behind any number of other segments (T.81, B.2). */
function readJpeg(view: DataView): PictureSize | null {
  if (view.getUint16(0) !== 0xffd8) return null
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
    if (marker === 0xff) at += 1
    else if (isBare) at += 2
    else if (marker === 0xda || marker === 0xd9) return null
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    else at += 2 + view.getUint16(at + 2)
  }
}
