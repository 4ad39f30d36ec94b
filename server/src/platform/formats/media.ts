/** Pictures and sound: nothing is decoded here; a model reads them. */
import { ReadFault } from './fault.ts'
import type { Reader } from './reader.ts'
import { typeOf } from './type.ts'

const nothing = { text: '', segments: [], title: null }

/** More than any camera takes; whoever decodes such a picture needs gigabytes. */
const mostPixels = 120_000_000

export const readImage: Reader = (bytes, about) => {
  const type = typeOf({ bytes, ...about })
  if ('failure' in type) throw new ReadFault(type.failure)
  const size = pictureSize(bytes)
  if (!size) throw new ReadFault('damaged')
  if (size.width * size.height > mostPixels) throw new ReadFault('too_complex')
  return { extract: nothing, pictures: [{ page: null, mediaType: type.mediaType, bytes }] }
}

export const readAudio: Reader = () => ({ extract: nothing, sound: true })

/** Whether the bytes are a JPEG that can be shown without harm. */
export const isSoundJpeg = (bytes: Uint8Array): boolean => {
  const size = bytes[0] === 0xff && bytes[1] === 0xd8 ? pictureSize(bytes) : null
  return size !== null && size.width * size.height <= mostPixels
}

interface Size {
  readonly width: number
  readonly height: number
}

/** What the head of a picture declares; null when it is cut off or says nothing. */
const pictureSize = (bytes: Uint8Array): Size | null => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size =
    bytes[0] === 0x89
      ? pngSize(view)
      : bytes[0] === 0x47
        ? gifSize(view)
        : bytes[0] === 0x52
          ? webpSize(view)
          : jpegSize(view)
  return size && size.width > 0 && size.height > 0 ? size : null
}

const pngSize = (view: DataView): Size | null =>
  view.byteLength < 33 ? null : { width: view.getUint32(16), height: view.getUint32(20) }

const gifSize = (view: DataView): Size | null =>
  view.byteLength < 13 ? null : { width: view.getUint16(6, true), height: view.getUint16(8, true) }

/** Simple, lossless and extended files each say it in their own way (RFC 9649). */
const webpSize = (view: DataView): Size | null => {
  if (view.byteLength < 30) return null
  const kind = view.getUint8(15)
  if (kind === 0x58)
    return { width: 1 + (view.getUint32(24, true) & 0xffffff), height: 1 + (view.getUint32(26, true) >>> 8) }
  if (kind === 0x4c) {
    const bits = view.getUint32(21, true)
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
  }
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
}

/** The frame header stands behind any number of other segments (T.81, B.2). */
const jpegSize = (view: DataView): Size | null => {
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    else if (marker === 0xda || marker === 0xd9) return null
    else at += 2 + view.getUint16(at + 2)
  }
  return null
}
