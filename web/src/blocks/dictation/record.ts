/** The microphone of this device, as phrases. What is recorded is kept nowhere. */
import { encodeWav } from '../../lib/wav.ts'
import { openMicrophone } from '../microphone/open.ts'
import { sampleRate } from '../microphone/samples.ts'
import { createPhraseCutter } from './phrases.ts'

export interface Recording {
  /** Ends it; what was said last still comes. */
  stop(): void
  /** Ends it, and what was said last is thrown away. */
  discard(): void
}

export interface RecordOptions {
  /** A WAV file for each phrase. */
  onPhrase(phrase: Blob): void
  /** How loud it is just now, from 0 to 1. */
  onLevel(level: number): void
  /** It was unplugged, or the system took it away. */
  onLost(): void
}

/** Throws the `DOMException` of the browser: `NotAllowedError`, `NotFoundError`, `NotReadableError`. */
export async function startRecording({ onPhrase, onLevel, onLost }: RecordOptions): Promise<Recording> {
  const context = new AudioContext()
  const cutter = createPhraseCutter()
  const give = (phrase: Float32Array | null) => {
    if (phrase) onPhrase(new Blob([encodeWav(phrase, sampleRate)], { type: 'audio/wav' }))
  }
  const microphone = await openMicrophone(context, {
    onSamples(samples, level) {
      onLevel(level)
      give(cutter.feed(samples))
    },
    onLost,
  }).catch((error: unknown) => {
    void context.close()
    throw error
  })
  // Some browsers begin without a sound where it is asked for later than by the click.
  if (context.state === 'suspended') void context.resume()
  let isOver = false
  /** Whether it was on until now. */
  const end = (): boolean => {
    if (isOver) return false
    isOver = true
    microphone.close()
    void context.close()
    return true
  }
  return {
    stop() {
      if (end()) give(cutter.flush())
    },
    discard: () => void end(),
  }
}
