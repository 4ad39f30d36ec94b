/**
 * The built-in voice: plain English speech, without a model or a network. It speaks in a process of its own with a limit
 * on time and memory, and is loaded there when it is first needed.
 */
import { runInProcess } from '../work/process.ts'
import { createRunWatch } from '../work/watch-runs.ts'
import { isSpeakable, splitSentences } from './sentences.ts'
import type { SpeakRequest } from './speak.ts'

export const voiceNames = ['slt', 'rms', 'awb', 'kal16'] as const
export type VoiceName = (typeof voiceNames)[number]

/** Some five minutes of speech, and 10 MB. */
export const mostSpokenChars = 4096

const memoryMb = 512
const runs = createRunWatch()

/** How it stands in this process, and how much memory a run may hold. */
export const voiceState = () => ({ state: runs.state, memoryMb })

export interface SpeakOptions {
  readonly voice: VoiceName
  /** 0.25 to 4. */
  readonly speed?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * A WAV of 16 kHz with one channel of 16 bits; null where there is nothing in it that the voice can say, as in other
 * languages. Throws WorkFailure.
 */
export const speakEnglish = async (
  text: string,
  { voice, speed = 1, signal }: SpeakOptions,
): Promise<Uint8Array | null> => {
  const sentences = splitSentences(text.slice(0, mostSpokenChars * 2))
  if (sentences.length === 0 || !isSpeakable(text)) return null
  return await runs.watch(
    runInProcess<SpeakRequest, Uint8Array>(
      new URL('./speak.ts', import.meta.url),
      'speakSentences',
      { sentences, voice, speed: Math.min(4, Math.max(0.25, speed)) },
      { signal, timeoutMs: 60_000, processorMs: 30_000, memoryMb },
    ),
  )
}
