/** A long recording in pieces that begin and end in a pause, and what was heard in them as one. Pure. */
import type { ProviderFailure } from '../types.ts'
import { type Config, figureIn } from './route.ts'
import type { Transcription, TranscriptionAsk } from './types.ts'
import { type SampleShape, toWav } from './wav.ts'

/** Longer ones are cut: beyond some minutes models tell wrong times, repeat themselves, or take nothing. */
const usualSeconds = 300
/** So far before the end of a piece a pause is looked for: no sentence is longer. */
const lookSeconds = 30
const pauseSeconds = 0.4
const stepSeconds = 0.02
/** A provider that takes pieces of less is taken at its word nevertheless, but none is shorter than this. */
const leastSeconds = 10

/** The samples of a WAV of 16-bit PCM with one or two channels. */
interface Recording extends SampleShape {
  readonly samples: Uint8Array
}

/** Pieces in their order, each a WAV of its own; the recording as it is where it is short, or no such WAV. */
export function cutRecording(ask: TranscriptionAsk, config: Config): TranscriptionAsk[] {
  const recording = readRecording(ask.audio)
  if (!recording) return [ask]
  const { samples, rate, channels } = recording
  const frame = channels * 2
  const mostBytes = figureIn(config, 'max_audio_bytes')
  const seconds = Math.max(
    leastSeconds,
    Math.min(
      figureIn(config, 'max_audio_seconds') ?? usualSeconds,
      mostBytes === null ? usualSeconds : (mostBytes - 44) / (rate * frame),
    ),
  )
  const most = Math.floor(seconds * rate) * frame
  if (samples.byteLength <= most) return [ask]
  const pieces: TranscriptionAsk[] = []
  for (let at = 0; at < samples.byteLength; ) {
    const end = samples.byteLength - at <= most ? samples.byteLength : findPause(recording, at, at + most)
    pieces.push({ ...ask, audio: toWav(samples.subarray(at, end), recording), mediaType: 'audio/wav' })
    at = end
  }
  return pieces
}

/** Where it is quietest before `end`, in the middle of the pause, as an offset of a whole frame. */
function findPause({ samples, rate, channels }: Recording, begin: number, end: number): number {
  const frame = channels * 2
  const step = Math.round(stepSeconds * rate) * frame
  const from = Math.max(begin + step, end - Math.round(lookSeconds * rate) * frame)
  const view = new DataView(samples.buffer, samples.byteOffset, samples.byteLength)
  const loud: number[] = []
  for (let at = from; at + step <= end; at += step) {
    let sum = 0
    // Every fourth sample of one channel tells as much.
    for (let offset = at; offset < at + step; offset += frame * 4) sum += Math.abs(view.getInt16(offset, true))
    loud.push(sum)
  }
  const width = Math.min(loud.length, Math.round(pauseSeconds / stepSeconds))
  let sum = loud.slice(0, width).reduce((total, one) => total + one, 0)
  let [quietest, best] = [sum, 0]
  for (let at = 1; at + width <= loud.length; at++) {
    sum += (loud[at + width - 1] ?? 0) - (loud[at - 1] ?? 0)
    // The last of equal ones: fewer pieces.
    if (sum <= quietest) [quietest, best] = [sum, at]
  }
  return from + (best + Math.floor(width / 2)) * step
}

/** What was heard in the pieces, with times of the whole. */
export function joinTranscriptions(
  answers: readonly [Transcription, ...Transcription[]],
  asks: readonly TranscriptionAsk[],
): Transcription {
  const [first, ...others] = answers
  if (others.length === 0) return first
  const isTimed = answers.some(({ segments }) => segments.length > 0)
  const segments: { start: number; end: number; text: string }[] = []
  let begin = 0
  for (const [at, answer] of answers.entries()) {
    const seconds = secondsOf(asks[at]?.audio)
    const within = (time: number): number => begin + Math.min(time, seconds)
    for (const { start, end, text } of answer.segments) segments.push({ start: within(start), end: within(end), text })
    if (isTimed && answer.segments.length === 0 && answer.text.trim() !== '')
      segments.push({ start: begin, end: begin + seconds, text: answer.text.trim() })
    begin += seconds
  }
  const texts = answers.map(({ text }) => text.trim()).filter(Boolean)
  return {
    text: texts.join(' '),
    language: answers.find(({ language }) => language !== null)?.language ?? null,
    seconds: begin,
    segments,
    inputTokens: sum(answers.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(answers.map(({ outputTokens }) => outputTokens)),
  }
}

/** The heard beginning of a recording, with what of it was not. `asks` are all its pieces, of which so many were heard. */
export function withMissing(
  heard: Transcription,
  asks: readonly TranscriptionAsk[],
  count: number,
  failure: ProviderFailure,
): Transcription {
  const lengths = asks.map(({ audio }) => secondsOf(audio))
  const until = (end: number): number => lengths.slice(0, end).reduce((total, one) => total + one, 0)
  const [start, end] = [until(count), until(lengths.length)]
  return { ...heard, seconds: end, missing: { start, end, failure } }
}

const sum = (figures: readonly (number | null)[]): number | null =>
  figures.includes(null) ? null : figures.reduce<number>((total, figure) => total + (figure ?? 0), 0)

const secondsOf = (audio: Uint8Array | undefined): number => {
  const recording = audio && readRecording(audio)
  return recording ? recording.samples.byteLength / (recording.rate * recording.channels * 2) : 0
}

/** null for everything else than such a WAV. A head that tells of more than there is is not believed. */
function readRecording(bytes: Uint8Array): Recording | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return null
  let shape: SampleShape | null = null
  for (let at = 12; at + 8 <= file.byteLength; ) {
    const name = file.toString('latin1', at, at + 4)
    const size = file.readUInt32LE(at + 4)
    const begin = at + 8
    if (name === 'fmt ' && begin + 16 <= file.byteLength) shape = readShape(file, begin)
    if (name === 'data') {
      if (!shape) return null
      const frame = shape.channels * 2
      const there = Math.min(size, file.byteLength - begin)
      return { ...shape, samples: bytes.subarray(begin, begin + there - (there % frame)) }
    }
    at = begin + size + (size % 2)
  }
  return null
}

function readShape(file: Buffer, at: number): SampleShape | null {
  const kind = file.readUInt16LE(at)
  const [channels, rate, bits] = [file.readUInt16LE(at + 2), file.readUInt32LE(at + 4), file.readUInt16LE(at + 14)]
  const isPlain = kind === 1 || kind === 0xff_fe
  return isPlain && bits === 16 && channels >= 1 && channels <= 2 && rate >= 8000 && rate <= 96_000
    ? { rate, channels }
    : null
}
