/**
 * Takes out of a picture what is told about it: where and with what it was taken, by whom, comments, previews and films
 * behind it. The picture itself stays as it is, to the bit, and is turned as before.
 */
import { readExif, sayOrientation, holdsPlace } from './exif.ts'
import { gifBlocks, gifExtension, isBareMarker, type PictureHead } from './head.ts'
import { pngChunk } from './png-chunk.ts'

export interface StripResult {
  readonly bytes: Uint8Array
  /** Whether a place was among what was taken out. */
  readonly located: boolean
  /** How the picture is to be turned, 1 to 8; 1: as it is. */
  readonly orientation: number
}

/** `mediaType` is what the bytes are, as `readHead` tells. What is broken is given as it came, as far as it is broken. */
export const withoutMetadata = (bytes: Uint8Array, mediaType: PictureHead['mediaType']): StripResult => {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (mediaType) {
    case 'image/jpeg':
      return stripJpeg(data)
    case 'image/png':
      return stripPng(data)
    case 'image/webp':
      return stripWebp(data)
    case 'image/gif':
      return stripGif(data)
  }
}

interface Told {
  orientation: number
  located: boolean
}

const hear = (told: Told, tiff: Buffer): void => {
  const { orientation, located } = readExif(tiff)
  if (orientation !== 1) told.orientation = orientation
  told.located ||= located
}

const exifMark = Buffer.from('Exif\0\0', 'latin1')
const startsWith = (data: Buffer, text: string): boolean => data.toString('latin1', 0, text.length) === text

/** Keeps JFIF, colour profiles and Adobe's word on colours; of Exif the orientation. */
const stripJpeg = (data: Buffer): StripResult => {
  const told: Told = { orientation: 1, located: false }
  const kept: Buffer[] = []
  let at = 2
  while (at + 4 <= data.length && data[at] === 0xff) {
    const marker = data[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === 0xd9) break
    const end = isBareMarker(marker) ? at + 2 : Math.min(data.length, at + 2 + data.readUInt16BE(at + 2))
    const inside = data.subarray(at + 4, end)
    if (isTold(marker, inside)) {
      if (inside.subarray(0, 6).equals(exifMark)) hear(told, inside.subarray(6))
      else told.located ||= holdsPlace(inside)
    } else kept.push(data.subarray(at, end))
    at = end
    if (marker === 0xda) {
      const stop = afterScan(data, at)
      kept.push(data.subarray(at, stop))
      at = stop
    }
  }
  const broken = at < data.length && data[at] !== 0xff
  const tail = broken ? data.subarray(at) : Buffer.from([0xff, 0xd9])
  const tiff = told.orientation === 1 ? null : sayOrientation(told.orientation)
  const exif = tiff ? [segment(0xe1, Buffer.concat([exifMark, tiff]))] : []
  return { bytes: Buffer.concat([data.subarray(0, 2), ...exif, ...kept, tail]), ...told }
}

/** Whether a segment tells about the picture rather than how to draw it. */
const isTold = (marker: number, inside: Buffer): boolean => {
  if (marker === 0xfe) return true
  if (marker < 0xe0 || marker > 0xef || marker === 0xe0 || marker === 0xee) return false
  return !(marker === 0xe2 && startsWith(inside, 'ICC_PROFILE\0'))
}

/** Where the coded picture ends: at the next marker that is none of its own. */
const afterScan = (data: Buffer, from: number): number => {
  for (let at = data.indexOf(0xff, from); at !== -1 && at + 1 < data.length; at = data.indexOf(0xff, at + 1)) {
    const marker = data[at + 1] ?? 0
    if (marker !== 0 && marker !== 0xff && !isBareMarker(marker)) return at
  }
  return data.length
}

const segment = (marker: number, inside: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(inside.length + 2, 2)
  return Buffer.concat([head, inside])
}

const toldInPng = new Set(['eXIf', 'iTXt', 'tEXt', 'zTXt', 'tIME', 'dSIG'])

const stripPng = (data: Buffer): StripResult => {
  const told: Told = { orientation: 1, located: false }
  const kept: Buffer[] = []
  let at = 8
  while (at + 12 <= data.length) {
    const end = at + 12 + data.readUInt32BE(at)
    if (end > data.length) break
    const kind = data.toString('latin1', at + 4, at + 8)
    const inside = data.subarray(at + 8, end - 4)
    if (kind === 'eXIf') hear(told, inside)
    else if (toldInPng.has(kind)) told.located ||= holdsPlace(inside)
    if (!toldInPng.has(kind)) kept.push(data.subarray(at, end))
    at = end
    if (kind === 'IEND') at = data.length
  }
  if (told.orientation !== 1) kept.splice(1, 0, pngChunk('eXIf', sayOrientation(told.orientation)))
  return { bytes: Buffer.concat([data.subarray(0, 8), ...kept, data.subarray(at)]), ...told }
}

/** Flags of an extended file that say what stands in it (RFC 9649, 2.7). */
const exifFlag = 0x08
const xmpFlag = 0x04

const stripWebp = (data: Buffer): StripResult => {
  const told: Told = { orientation: 1, located: false }
  const kept: Buffer[] = []
  let at = 12
  const stop = Math.min(data.length, 8 + data.readUInt32LE(4))
  while (at + 8 <= stop) {
    const size = data.readUInt32LE(at + 4)
    const end = Math.min(stop, at + 8 + size + (size % 2))
    const kind = data.toString('latin1', at, at + 4)
    const inside = data.subarray(at + 8, Math.min(end, at + 8 + size))
    if (kind === 'EXIF') hear(told, inside.subarray(0, 6).equals(exifMark) ? inside.subarray(6) : inside)
    else if (kind === 'XMP ') told.located ||= holdsPlace(inside)
    else kept.push(Buffer.from(data.subarray(at, end)))
    at = end
  }
  const extended = kept.find((chunk) => chunk.toString('latin1', 0, 4) === 'VP8X')
  const turned = extended !== undefined && told.orientation !== 1
  if (extended) extended[8] = ((extended[8] ?? 0) & ~(exifFlag | xmpFlag)) | (turned ? exifFlag : 0)
  if (turned) {
    const tiff = sayOrientation(told.orientation)
    const head = Buffer.from('EXIF\0\0\0\0', 'latin1')
    head.writeUInt32LE(tiff.length, 4)
    kept.push(Buffer.concat([head, tiff]))
  }
  const body = Buffer.concat(kept)
  const head = Buffer.from(data.subarray(0, 12))
  head.writeUInt32LE(body.length + 4, 4)
  return { bytes: Buffer.concat([head, body]), located: told.located, orientation: turned ? told.orientation : 1 }
}

const gifComment = 0xfe

const stripGif = (data: Buffer): StripResult => {
  const kept: Buffer[] = []
  let located = false
  let from = 0
  let last = 0
  for (const { kind, start, end } of gifBlocks(data)) {
    last = end
    if (kind !== gifExtension) continue
    const isXmp = data.toString('latin1', start + 3, start + 14) === 'XMP DataXMP'
    if (data[start + 1] !== gifComment && !isXmp) continue
    located ||= holdsPlace(data.subarray(start, end))
    kept.push(data.subarray(from, start))
    from = end
  }
  // Behind the trailer stands nothing that is drawn.
  const end = data[last] === 0x3b ? last + 1 : data.length
  kept.push(data.subarray(from, Math.max(from, end)))
  return { bytes: Buffer.concat(kept), located, orientation: 1 }
}
