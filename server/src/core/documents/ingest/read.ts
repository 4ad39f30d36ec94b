/** From the bytes of a file to its text: the readers first, then models for what only they can see or hear. */
import type { DocumentFailure, FileType, ReadingStage } from '@atrium/contract/documents'
import { readFile } from '../../../platform/formats/index.ts'
import type { Extract, Segment } from '../../../platform/formats/types.ts'
import type { Transcription } from '../../../providers/operations/index.ts'
import type { DocumentContext } from '../context.ts'
import { readPictures } from './read-pictures.ts'
import { insertPictureTexts } from './pictures.ts'

export interface ReadParts {
  readonly context: DocumentContext
  readonly accountId: string
  readonly signal: AbortSignal
  /** Tells what is done just now, and how much of how much. */
  readonly stage: (stage: ReadingStage, done?: number, total?: number) => void
  /** Pictures are read by the built-in reader, whichever vision model is chosen. */
  readonly builtin: boolean
}

export interface IngestFile {
  readonly bytes: Uint8Array
  readonly name: string
  readonly mediaType: string
}

export type ReadContent =
  | { readonly failure: DocumentFailure }
  | {
      readonly fileType: FileType
      readonly mediaType: string
      readonly extract: Extract
      readonly parts: number | null
      /** Of `parts`; null where there are none. */
      readonly partsRead: number | null
      /** The page from which a next reading gives more; null where it would not. */
      readonly unreadFrom: number | null
      readonly readBy: 'builtin' | null
    }

/** What an earlier reading gave, and the page from which this one goes on. */
export interface EarlierReading {
  readonly readBy: 'builtin' | null
  readonly extract: Extract
  readonly from: number
}

export const readContent = async (
  parts: ReadParts,
  file: IngestFile,
  earlier: EarlierReading | null = null,
): Promise<ReadContent> => {
  parts.stage('reading')
  const from = earlier === null ? {} : { picturesFrom: earlier.from }
  const result = await readFile({ ...file, ...from }, { signal: parts.signal })
  if ('failure' in result) return result
  const { fileType, mediaType, extract } = result
  if (result.sound) {
    const heard = await transcribeSound(parts, { ...file, mediaType })
    if ('failure' in heard) return heard
    return { fileType, mediaType, extract: heard, parts: null, partsRead: null, unreadFrom: null, readBy: null }
  }
  const seen = await readPictures(parts, file, result)
  const before = earlier?.extract ?? extract
  const whole = seen.readings.length > 0 ? insertPictureTexts(before, seen.readings) : before
  if (whole.text.trim() !== '') {
    const waiting = [...new Set([...seen.left, ...seen.waiting])].toSorted((a, b) => a - b)
    const unread = waiting.length + result.unread.lost.length + seen.lost
    const partsRead = result.parts === null ? null : result.parts - unread
    const readBy = seen.readBy ?? earlier?.readBy ?? null
    const unreadFrom = waiting[0] ?? null
    return { fileType, mediaType, extract: whole, parts: result.parts, partsRead, unreadFrom, readBy }
  }
  return { failure: result.pictures.length > 0 ? (seen.failure ?? 'no_text') : 'no_text' }
}

const transcribeSound = async (
  { context, accountId, signal, stage }: ReadParts,
  { bytes, name, mediaType }: IngestFile,
): Promise<Extract | { readonly failure: DocumentFailure }> => {
  if (!(await context.mayTranscribe(accountId))) return { failure: 'speech_not_allowed' }
  const chosen = (await context.speechModel(accountId)) ?? (await context.capabilityModels(accountId, 'stt'))[0]
  if (!chosen) return { failure: 'needs_speech' }
  const found = await context.capability(accountId, 'stt', chosen)
  if ('unavailable' in found) return { failure: 'needs_speech' }
  stage('transcribing')
  try {
    const heard = await found.usable.call({ audio: bytes, fileName: name, mediaType, segments: true }, signal)
    const extract = toSpeechText(heard)
    return extract.text === '' ? { failure: 'no_text' } : extract
  } catch (error) {
    signal.throwIfAborted()
    context.log.warn('A recording could not be turned into text by a model.', { error })
    return { failure: 'speech_failed' }
  }
}

const stretchSeconds = 60

/** Where times are known, a stretch of the text for every minute. */
export const toSpeechText = ({ text, segments: spoken }: Pick<Transcription, 'text' | 'segments'>): Extract => {
  const clean = (words: string): string =>
    words
      .toWellFormed()
      .normalize('NFC')
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
  if (spoken.length === 0) return { text: clean(text), segments: [], title: null }
  const segments: Segment[] = []
  let whole = ''
  let begun = Number.NEGATIVE_INFINITY
  for (const { start, text: words } of spoken) {
    const transcript = clean(words)
    if (transcript === '') continue
    const last = segments.at(-1)
    if (last && start < begun + stretchSeconds) {
      whole += ` ${transcript}`
      segments[segments.length - 1] = { ...last, end: whole.length }
      continue
    }
    begun = start
    whole += whole === '' ? '' : '\n\n'
    const label = `${Math.floor(start / 60)}:${String(Math.floor(start % 60)).padStart(2, '0')}`
    segments.push({ kind: 'section', label, number: null, start: whole.length, end: whole.length + transcript.length })
    whole += transcript
  }
  return { text: whole, segments, title: null }
}
