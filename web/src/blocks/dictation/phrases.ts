/** What was recorded, cut into phrases at pauses. Pure. */
import { createSpeechGate, joinBlocks, sampleRate } from '../microphone/samples.ts'

/** A pause of this length ends a phrase. */
const pauseSeconds = 0.8
const longestPhraseSeconds = 25

export interface PhraseCutter {
  /** Takes samples at 16 kHz, a tenth of a second or less at a time; gives a phrase when one has ended. */
  feed(samples: Float32Array): Float32Array | null
  /** What is left of the last phrase; null where nobody spoke. */
  flush(): Float32Array | null
}

export function createPhraseCutter(): PhraseCutter {
  const isSpeech = createSpeechGate()
  let blocks: Float32Array[] = []
  let length = 0
  let quiet = 0
  let spoke = false
  const take = (): Float32Array | null => {
    const whole = spoke ? joinBlocks(blocks) : null
    blocks = []
    length = 0
    quiet = 0
    spoke = false
    return whole
  }
  return {
    feed(samples) {
      const speaks = isSpeech(samples)
      blocks.push(samples)
      length += samples.length
      spoke ||= speaks
      quiet = speaks ? 0 : quiet + samples.length
      if (spoke && quiet >= pauseSeconds * sampleRate) return take()
      if (length >= longestPhraseSeconds * sampleRate) return take()
      // Of silence before a phrase, no more than its beginning needs.
      while (!spoke && blocks.length > 1 && length - (blocks[0]?.length ?? 0) > sampleRate / 2)
        length -= blocks.shift()?.length ?? 0
      return null
    },
    flush: take,
  }
}
