/** Bytes to text, whatever wrote them. */
import { TextDecoder } from 'node:util'
import { analyse } from 'chardet'
import { ReadFault } from '../fault.ts'
import { cleanText } from './clean.ts'

/**
 * The text of a file: by its byte order mark, else as UTF-8, else as UTF-16 without a mark, else by what its bytes look
 * like. `declared` is what the file says of itself (a label of the Encoding Standard); it wins over guessing only.
 * Throws ReadFault `empty` for nothing or only white space, `unsupported` for bytes that are no text.
 */
export const decodeText = (bytes: Uint8Array, declared: string | null = null): string => {
  const text = cleanText(decode(bytes, declared))
  if (!/\S/.test(text)) throw new ReadFault('empty')
  return text
}

/** As the standard names it, or null where it knows no such encoding. */
export const decoderOf = (label: string): TextDecoder | null => {
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}

const decode = (bytes: Uint8Array, declared: string | null): string => {
  const marked = byMark(bytes)
  if (marked) return sound(marked.decode(bytes))
  if (!hasNull(bytes)) {
    const utf8 = strictUtf8(bytes)
    // Bytes of ISO-2022-JP are ASCII, and so is what switches them.
    if (utf8 !== null && !utf8.includes('\u001b$')) return sound(utf8)
    const damaged = utf8 === null ? damagedUtf8(bytes) : null
    const named = declared === null ? null : decoderOf(declared)
    // What says that it is UTF-8 and is none is something else: many pages are saved so.
    const other = named?.encoding === 'utf-8' ? null : named
    return sound(damaged ?? (other ?? guessed(bytes)).decode(bytes))
  }
  const wide = wideDecoder(bytes)
  if (wide) return wide.decode(bytes)
  return sound(new TextDecoder('utf-8').decode(bytes))
}

const byMark = (bytes: Uint8Array): TextDecoder | null => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder('utf-8')
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be')
  return null
}

const hasNull = (bytes: Uint8Array): boolean => bytes.includes(0)

const strictUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The label of what bytes that are no UTF-8 look like. */
export const guessEncoding = (bytes: Uint8Array): string => guessed(bytes).encoding

const guessed = (bytes: Uint8Array): TextDecoder => {
  const start = bytes.findIndex((byte) => byte > 0x7f)
  // What surrounds the first letters beyond ASCII tells most, wherever they stand.
  const from = Math.max(0, start - 4_096)
  const sample = bytes.subarray(from, from + 65_536)
  for (const { name, confidence } of analyse(sample)) {
    if (!name.startsWith('UTF-') && confidence >= leastConfidence && decodes(sample, name)) return new TextDecoder(name)
  }
  return new TextDecoder('windows-1252')
}

/** Of a hundred. */
const leastConfidence = 10

const decodes = (bytes: Uint8Array, label: string): boolean => {
  if (!decoderOf(label)) return false
  try {
    // The sample may end inside of a character.
    new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Some odd bytes among many letters of UTF-8 are damage, not another encoding. */
const damagedUtf8 = (bytes: Uint8Array): string | null => {
  const text = new TextDecoder('utf-8').decode(bytes)
  return count(text, /\ufffd/g) * 10 <= count(text, /[\u0080-\ufffc]/g) ? text : null
}

/** UTF-16 without a mark: of both orders, the one that gives letters and not noise. */
const wideDecoder = (bytes: Uint8Array): TextDecoder | null => {
  if (bytes.length % 2 !== 0) return null
  const sample = bytes.subarray(0, 8_192)
  const orders = ['utf-16le', 'utf-16be'].map((label) => {
    const decoder = new TextDecoder(label)
    const text = decoder.decode(sample)
    return { label, noise: count(text, noise) / text.length, common: count(text, /[\s\w]/g) / text.length }
  })
  const best = orders.filter((order) => order.noise < 0.01).toSorted((a, b) => b.common - a.common)[0]
  return best ? new TextDecoder(best.label) : null
}

/** What no text holds: controls, private characters, ones that were never given out. */
const noise = /[\ufffd\p{Co}\p{Cn}\p{Cs}[\p{Cc}--[\s\x85]]]/gv

/** Throws where the text is mostly noise; a stray null or a damaged letter is no reason. */
const sound = (text: string): string => {
  const step = Math.max(1, Math.floor(text.length / samples / pieceLength))
  let pieces = ''
  for (let at = 0; at < text.length; at += step * pieceLength) pieces += text.slice(at, at + pieceLength)
  if (pieces.length > 0 && count(pieces, noise) / pieces.length > 0.1) throw new ReadFault('unsupported')
  return text
}

const samples = 64
const pieceLength = 1_024
const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0
