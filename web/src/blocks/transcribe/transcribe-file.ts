/** A file of sound or video turned into text with its times; nothing of it is kept. */
import { maxRecordingBytes, type SpeechModel, type SpokenText } from '@atrium/contract/speech'
import { encodeWav } from '../../lib/wav.ts'
import { transcribeRecording } from '../dictation/transcribe.ts'
import { sampleRate } from '../microphone/samples.ts'
import { cutAtPauses, mixChannels } from './parts.ts'

export type Transcript = Pick<SpokenText, 'text' | 'segments'>

export interface TranscribeOptions {
  readonly model: SpeechModel
  /** null: the model finds out. */
  readonly language: string | null
  readonly signal: AbortSignal
  /** How much of it is done, 0 to 1. */
  readonly onProgress: (share: number) => void
}

/** null: there is no sound in it that this browser or the server could read. Throws `Problem`. */
export async function transcribeFile(
  file: Blob,
  { model, language, signal, onProgress }: TranscribeOptions,
): Promise<Transcript | null> {
  const samples = await decodeSound(file)
  if (!samples && (!file.type.startsWith('audio/') || file.size > maxRecordingBytes)) return null
  const parts = samples ? cutAtPauses(samples) : [file]
  const texts: string[] = []
  const segments: SpokenText['segments'] = []
  let begin = 0
  for (const [at, part] of parts.entries()) {
    onProgress(at / parts.length)
    const audio = part instanceof Blob ? part : new Blob([encodeWav(part, sampleRate)], { type: 'audio/wav' })
    const heard = await transcribeRecording(model, audio, signal, language)
    texts.push(heard.text.trim())
    for (const { start, end, text } of heard.segments)
      segments.push({ start: begin + start, end: begin + end, text: text.trim() })
    if (!(part instanceof Blob)) begin += part.length / sampleRate
  }
  return { text: texts.filter(Boolean).join('\n\n'), segments }
}

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
