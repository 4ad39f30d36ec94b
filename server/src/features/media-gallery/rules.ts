/** Decisions about items: what they are called, where they are, and what may be served. Pure. */
import { type MediaKind, mediaTypes, mostTitleLetters } from '@atrium/contract/media-gallery'

export const contentPath = (id: string): string => `/api/media/gallery/${id}/content`
export const thumbnailPath = (id: string): string => `/api/media/gallery/${id}/thumbnail`

/** A picture that is no larger than this is its own thumbnail. */
const smallBytes = 64 * 1024
const fewPixels = 1_000_000

interface Pictured {
  readonly kind: MediaKind
  readonly size_bytes: number
  readonly width: number | null
  readonly height: number | null
  readonly thumbnail_file_id: string | null
}

export const isOwnThumbnail = (item: Pictured): boolean => item.thumbnail_file_id === null && isSmall(item)

/** Whether a picture can be shown as it is where many are shown. */
export const isSmall = ({ kind, size_bytes, width, height }: Omit<Pictured, 'thumbnail_file_id'>): boolean =>
  kind === 'image' && size_bytes <= smallBytes && width !== null && height !== null && width * height <= fewPixels

export const hasThumbnail = (item: Pictured): boolean => item.thumbnail_file_id !== null || isOwnThumbnail(item)

/** Whether items of a kind may have a type. */
export const isAllowedType = (kind: MediaKind, mediaType: string): boolean =>
  (mediaTypes[kind] as readonly string[]).includes(mediaType)

/** A title of what was asked for: its first line, cut where a word ends. */
export const titleOf = (prompt: string): string => {
  const line = harmless(prompt)
  const letters = Array.from(line)
  if (letters.length <= longestTitle) return line
  const cut = letters.slice(0, longestTitle).join('')
  return `${cut.replace(/\s+\S{0,20}$/, '')}…`
}
const longestTitle = 80

/** A title of the name that a file came with. */
export const titleOfFile = (name: string): string =>
  Array.from(harmless(name.replace(/\.[A-Za-z0-9]{1,5}$/, '')))
    .slice(0, mostTitleLetters)
    .join('')

/** The name of an item as a file, which every file system takes. */
export const fileNameOf = (title: string, kind: MediaKind, mediaType: string): string => {
  const plain = harmless(title)
    .replace(/[<>:"/\\|?*]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  return `${Array.from(plain).slice(0, 80).join('').trim() || kind}.${extensions[mediaType] ?? 'bin'}`
}

/** On one line, without what changes the direction of the rest or cannot be seen. */
const harmless = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const extensions: Readonly<Record<string, string>> = {
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/L16': 'pcm',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/wav': 'wav',
  'audio/webm': 'weba',
}
