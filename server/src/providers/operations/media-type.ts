/** What media is, told by its own bytes: what a provider says of it counts for nothing. Pure. */
import { readHead } from '../../platform/formats/picture/head.ts'

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
export type SoundType =
  | 'audio/aac'
  | 'audio/flac'
  | 'audio/mpeg'
  | 'audio/mp4'
  | 'audio/ogg'
  | 'audio/wav'
  | 'audio/webm'

/** So many first bytes tell what a sound is. */
const tellingBytes = 64

/** null for anything that is no picture we keep: never SVG, never HTML. */
export const pictureTypeOf = (bytes: Uint8Array): PictureType | null => readHead(bytes)?.mediaType ?? null

export function soundTypeOf(bytes: Uint8Array): SoundType | null {
  const head = latin1(bytes)
  if (head.startsWith('RIFF') && head.startsWith('WAVE', 8)) return 'audio/wav'
  if (head.startsWith('fLaC')) return 'audio/flac'
  if (head.startsWith('OggS')) return 'audio/ogg'
  if (head.startsWith('ID3')) return 'audio/mpeg'
  if (isWebm(head)) return 'audio/webm'
  if (head.startsWith('ftyp', 4)) return 'audio/mp4'
  const [first = 0, second = 0] = bytes
  // The heads of frames: ADTS has no layer (ISO 13818-7, 6.2), MP3 has the third (ISO 11172-3, 2.4.1.3).
  if (first === 0xff && (second & 0xf6) === 0xf0) return 'audio/aac'
  return first === 0xff && (second & 0xe6) === 0xe2 ? 'audio/mpeg' : null
}

const isWebm = (head: string): boolean => head.startsWith('\x1a\x45\xdf\xa3') && head.includes('webm')

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, tellingBytes)).toString('latin1')
