/**
 * What a file is. Content wins over the name when it is plainly of a kind that we read (a PDF that is called .docx is read
 * as the PDF it is); content that is plainly something else than the name claims is refused.
 */
import { claimedType, mediaTypeOf } from './kinds.ts'
import type { FileType, ReadFailure, ReadRequest } from './types.ts'

export interface KnownType {
  readonly fileType: FileType
  readonly mediaType: string
}

/** Looks at names and at the first and last bytes only: safe and cheap on the main thread. */
export const typeOf = ({ bytes, name, mediaType }: ReadRequest): KnownType | { readonly failure: ReadFailure } => {
  if (bytes.length === 0) return { failure: 'empty' }
  const claimed = claimedType(name, mediaType)
  const found = magicOf(bytes)
  if (found === 'ole') return { failure: oleFailure(bytes, claimed) }
  if (found === 'zip') return named(claimed !== null && isZipped(claimed) ? claimed : (ofZip(bytes) ?? 'zip'))
  if (found !== null) return found
  // Nothing that we know by its first bytes.
  if (claimed === 'pdf' && /%PDF-|^\s*\d+ \d+ obj\b/m.test(latin1(bytes.subarray(0, 1024)))) return named('pdf')
  // Recorders write M4A under general brands, too.
  if (saysM4a(name, mediaType) && latin1(bytes.subarray(4, 8)) === 'ftyp') return audio('audio/mp4')
  const text = looksLikeText(bytes)
  if (claimed === null) return text && bareName(name, mediaType) ? named('txt') : { failure: 'unsupported' }
  const page = /^\s*<(!doctype html|html)[\s>]/i.test(latin1(bytes.subarray(0, 512)))
  // A page that begins as one is one, whatever a program wrote into it.
  if (claimed === 'html' && page) return named('html')
  if (isTextual(claimed)) return text ? named(claimed) : { failure: 'mismatch' }
  return text && page ? named('html') : { failure: 'mismatch' }
}

const textual = ['rtf', 'md', 'html', 'csv', 'txt', 'json', 'code', 'eml', 'ics'] as const
const zipped = ['docx', 'pptx', 'xlsx', 'odt', 'odp', 'ods', 'epub', 'zip'] as const
const isTextual = (type: FileType): type is (typeof textual)[number] => textual.some((one) => one === type)
/** Whether files of a type are zips within. */
export const isZipped = (type: FileType): type is (typeof zipped)[number] => zipped.some((one) => one === type)

const named = (fileType: Exclude<FileType, 'image' | 'audio'>): KnownType => ({
  fileType,
  mediaType: mediaTypeOf[fileType],
})
const image = (mediaType: string): KnownType => ({ fileType: 'image', mediaType })
const audio = (mediaType: string): KnownType => ({ fileType: 'audio', mediaType })

const magicOf = (bytes: Uint8Array): KnownType | 'zip' | 'ole' | null => {
  const head = latin1(bytes.subarray(0, 64))
  if (head.startsWith('%PDF-')) return named('pdf')
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return 'zip'
  if (head.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return 'ole'
  if (head.startsWith('{\\rtf')) return named('rtf')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return image('image/png')
  if (head.startsWith('\xff\xd8\xff')) return image('image/jpeg')
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return image('image/gif')
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return image('image/webp')
  if (head.startsWith('RIFF') && head.startsWith('WAVE', 8)) return audio('audio/wav')
  if (head.startsWith('fLaC')) return audio('audio/flac')
  if (head.startsWith('ID3') || isMp3Frame(bytes)) return audio('audio/mpeg')
  // Films have the same containers, and other brands and codecs.
  if (head.startsWith('OggS')) return /OpusHead|vorbis|Speex|fLaC/.test(head) ? audio('audio/ogg') : null
  if (head.startsWith('ftypM4A', 4) || head.startsWith('ftypM4B', 4)) return audio('audio/mp4')
  // Matroska says further in which of its kinds it is.
  if (head.startsWith('\x1a\x45\xdf\xa3') && head.includes('webm')) return audio('audio/webm')
  return null
}

const saysM4a = (name: string, mediaType: string): boolean =>
  /\.m4[ab]$/i.test(name) || /^audio\/(mp4|x-m4a)\b/i.test(mediaType)

/** The head of a frame of layer III (ISO 11172-3, 2.4.1.3); the mark of UTF-16 would be one of layer I. */
const isMp3Frame = ([first = 0, second = 0, third = 0]: Uint8Array): boolean =>
  first === 0xff && (second & 0xe6) === 0xe2 && (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c

/** An office file with a password is a container of the old kind around the sealed new one. */
const oleFailure = (bytes: Uint8Array, claimed: FileType | null): ReadFailure => {
  const directory = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (directory.includes(Buffer.from('EncryptedPackage', 'utf16le'))) return 'encrypted'
  return claimed === null ? 'unsupported' : 'mismatch'
}

/** By the names at the end of a zip, where its directory stands; read.ts looks again, with care. */
const ofZip = (bytes: Uint8Array): Exclude<FileType, 'image' | 'audio'> | null => {
  const ends = latin1(bytes.subarray(0, 256)) + latin1(bytes.subarray(-65_536))
  if (ends.includes('application/epub+zip')) return 'epub'
  for (const kind of ['text', 'presentation', 'spreadsheet'] as const)
    if (ends.includes(`application/vnd.oasis.opendocument.${kind}`)) return openDocument[kind]
  if (!ends.includes('[Content_Types].xml')) return null
  return ends.includes('word/') ? 'docx' : ends.includes('ppt/') ? 'pptx' : ends.includes('xl/') ? 'xlsx' : null
}
const openDocument = { text: 'odt', presentation: 'odp', spreadsheet: 'ods' } as const

/** Text has no zero bytes, unless it is UTF-16 and says so or shows it by every other byte, and hardly any controls. */
const looksLikeText = (bytes: Uint8Array): boolean => {
  const head = bytes.subarray(0, 8192)
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true
  let zeros = 0
  let controls = 0
  const zerosAt = [0, 0]
  for (const [i, byte] of head.entries()) {
    if (byte === 0) {
      zeros += 1
      zerosAt[i % 2] = (zerosAt[i % 2] ?? 0) + 1
    } else if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127) controls += 1
  }
  if (controls * 20 > head.length) return false
  return zeros === 0 || (zeros * 3 > head.length && Math.min(zerosAt[0] ?? 0, zerosAt[1] ?? 0) * 20 < zeros)
}

/** A file that neither its name nor its sender says anything about. */
const bareName = (name: string, mediaType: string): boolean =>
  !/\.[^./\\]+$/.test(name.replace(/^\./, '')) &&
  ['', 'application/octet-stream'].includes(mediaType.trim().toLowerCase())

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
