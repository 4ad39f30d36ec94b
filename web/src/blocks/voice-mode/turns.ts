/** Finds out when somebody begins to speak and when their turn is over. Pure: time is counted in samples. */
import { createSpeechGate, joinBlocks, sampleRate } from '../microphone/samples.ts'

/** So much quiet ends a turn. */
const quietSeconds = 1.5
/** Less than this is a click or a cough. */
const leastSpeechSeconds = 0.2
/** Over sound that is being played it takes more, so that what is left of an echo is nobody who speaks. */
const leastOverSoundSeconds = 0.35
const timesOverSound = 5
/** Of the silence before the first word, and of that after the last one, a turn has so much. */
const leadSeconds = 0.5
const tailSeconds = 0.3
/** Whoever speaks for longer is answered first; transcription takes little more. */
const longestSeconds = 240

export type TurnEvent = { readonly kind: 'began' } | { readonly kind: 'ended'; readonly samples: Float32Array }

export interface TurnDetector {
  /** Takes samples at 16 kHz, a tenth of a second or less at a time. `overSound`: something is being played meanwhile. */
  feed(samples: Float32Array, overSound?: boolean): TurnEvent | null
  /** Begins a turn now, whether somebody speaks or not: for whoever holds a button. It ends by `finish` alone. */
  begin(): void
  /** Ends the turn now; null where nobody spoke in it. */
  finish(): Float32Array | null
  /** Forgets what was heard since the last turn. */
  reset(): void
}

/** Learns how loud the room is; see `createSpeechGate`. */
export function createTurnDetector(): TurnDetector {
  const isSpeech = createSpeechGate()
  let blocks: Float32Array[] = []
  let length = 0
  let spoken = 0
  let quiet = 0
  let isTurn = false
  let isHeld = false
  const reset = () => {
    blocks = []
    length = spoken = quiet = 0
    isTurn = isHeld = false
  }
  const take = (): Float32Array => {
    const whole = joinBlocks(blocks)
    const end = whole.length - Math.max(0, quiet - tailSeconds * sampleRate)
    reset()
    return whole.subarray(0, end)
  }
  return {
    feed(samples, overSound = false) {
      const speaks = isSpeech(samples, overSound && !isTurn ? timesOverSound : undefined)
      blocks.push(samples)
      length += samples.length
      spoken += speaks ? samples.length : 0
      quiet = speaks ? 0 : quiet + samples.length
      if (length >= longestSeconds * sampleRate && isTurn) return { kind: 'ended', samples: take() }
      if (isHeld) return null
      if (isTurn) return quiet >= quietSeconds * sampleRate ? { kind: 'ended', samples: take() } : null
      if (quiet >= leadSeconds * sampleRate) spoken = 0
      if (spoken >= (overSound ? leastOverSoundSeconds : leastSpeechSeconds) * sampleRate) {
        isTurn = true
        return { kind: 'began' }
      }
      while (spoken === 0 && blocks.length > 1 && length - (blocks[0]?.length ?? 0) > leadSeconds * sampleRate)
        length -= blocks.shift()?.length ?? 0
      return null
    },
    begin() {
      // What was said before the button was pressed is not meant.
      reset()
      isTurn = isHeld = true
    },
    finish() {
      const isAnything = isTurn && spoken >= leastSpeechSeconds * sampleRate
      if (isAnything) return take()
      reset()
      return null
    },
    reset,
  }
}
