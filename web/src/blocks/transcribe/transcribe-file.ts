/** A file of sound or video turned into text with its times; nothing of it is kept. */
import { maxRecordingBytes, type SpeechModel, type SpokenText } from '@atrium/contract/speech'
import { wordsOf } from '../../api/errors.ts'
import { encodeWav } from '../../lib/wav.ts'
import { transcribeRecording } from '../dictation/transcribe.ts'
import { sampleRate } from '../microphone/samples.ts'
import { cutAtPauses, mixChannels } from './parts.ts'

export interface Transcript extends Pick<SpokenText, 'text' | 'segments'> {
  /** From where on nothing was heard, to where, in seconds, and why; null: all of it was. */
  readonly missing: SpokenText['missing']
}

export interface TranscribeOptions {
  readonly model: SpeechModel
  /** null: the model finds out. */
  readonly language: string | null
  readonly signal: AbortSignal
  /** How much of it is done, 0 to 1. */
  readonly onProgress: (share: number) => void
  /** What was heard of the same file before: it is gone on with. */
  readonly before?: Transcript | undefined
}

/**
 * null: there is no sound in it that this browser or the server could read. What was heard before a later part failed is
 * given, with what is missing; throws `Problem` where nothing was heard.
 */
export async function transcribeFile(file: Blob, options: TranscribeOptions): Promise<Transcript | null> {
  const samples = await decodeSound(file)
  if (samples) return await transcribeSamples(samples, options, (audio) => hear(audio, options))
  if (!file.type.startsWith('audio/') || file.size > maxRecordingBytes) return null
  options.onProgress(0)
  const { text, segments, missing } = await hear(file, options)
  return { text, segments, missing }
}

/** `hearPart`: asked for one part after the other. */
export async function transcribeSamples(
  samples: Float32Array,
  { before, signal, onProgress }: Pick<TranscribeOptions, 'before' | 'signal' | 'onProgress'>,
  hearPart: (audio: Blob) => Promise<Transcript>,
): Promise<Transcript> {
  const end = samples.length / sampleRate
  let begin = before?.missing?.start ?? 0
  const texts = before ? [before.text] : []
  const segments = before ? [...before.segments] : []
  const result = (why: string | null): Transcript => ({
    text: texts.filter(Boolean).join('\n\n'),
    segments,
    missing: why === null ? null : { start: begin, end, detail: why },
  })
  for (const part of cutAtPauses(samples.subarray(Math.round(begin * sampleRate)))) {
    onProgress(begin / end)
    try {
      const audio = new Blob([encodeWav(part, sampleRate)], { type: 'audio/wav' })
      const heard = await hearPart(audio)
      texts.push(heard.text.trim())
      for (const one of heard.segments)
        segments.push({ start: begin + one.start, end: begin + one.end, text: one.text.trim() })
      begin += heard.missing ? heard.missing.start : part.length / sampleRate
      if (heard.missing) return result(heard.missing.detail)
    } catch (error) {
      // What was heard, and paid for, is not lost because a later part failed.
      if (signal.aborted || texts.length === 0) throw error
      return result(wordsOf(error))
    }
  }
  return result(null)
}

const hear = (audio: Blob, { model, language, signal }: TranscribeOptions): Promise<SpokenText> =>
  transcribeRecording(model, audio, signal, language, { partial: true })

/** Samples at 16 kHz, of a video as of a recording; null where the browser finds none. */
async function decodeSound(file: Blob): Promise<Float32Array | null> {
  try {
    const sound = await new OfflineAudioContext(1, 1, sampleRate).decodeAudioData(await file.arrayBuffer())
    return mixChannels(Array.from({ length: sound.numberOfChannels }, (_, at) => sound.getChannelData(at)))
  } catch {
    // The server may take what this browser cannot play.
    return null
  }
}
