/** What was recorded, cut into phrases at pauses, as files that every speech model takes. Pure. */

export const sampleRate = 16_000

/** How loud it is, from 0 to 1: the root of the mean square. */
export const measureLoudness = (samples: Float32Array): number => {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length)
}

/**
 * Samples at another rate, each the mean of those that it stands for: enough of a filter for speech. `carry`: what the
 * block before left over.
 */
export function resampleBlock(
  samples: Float32Array,
  from: number,
  carry: readonly number[] = [],
): { samples: Float32Array; carry: number[] } {
  if (from === sampleRate) return { samples, carry: [] }
  const all = [...carry, ...samples]
  const step = from / sampleRate
  const count = Math.floor(all.length / step)
  const out = new Float32Array(count)
  for (let at = 0; at < count; at += 1) {
    const start = Math.floor(at * step)
    const end = Math.max(start + 1, Math.floor((at + 1) * step))
    let sum = 0
    for (let index = start; index < end; index += 1) sum += all[index] ?? 0
    out[at] = sum / (end - start)
  }
  return { samples: out, carry: all.slice(Math.floor(count * step)) }
}

/** A pause of this length ends a phrase. */
const pauseSeconds = 0.8
const longestPhraseSeconds = 25
/** Below this nobody speaks, however quiet the room is. */
const leastLoudness = 0.008
/** What is louder than this for long is somebody who speaks without a breath. */
const loudestRoom = 0.03

export interface PhraseCutter {
  /** Takes samples at 16 kHz, a tenth of a second or less at a time; gives a phrase when one has ended. */
  feed(samples: Float32Array): Float32Array | null
  /** What is left of the last phrase; null where nobody spoke. */
  flush(): Float32Array | null
}

/** Learns how loud the room is, so that a fan is no speech. */
export function createPhraseCutter(): PhraseCutter {
  let blocks: Float32Array[] = []
  let length = 0
  let quiet = 0
  let spoke = false
  let floor = 0.01
  const take = (): Float32Array | null => {
    const whole = spoke ? joinBlocks(blocks, length) : null
    blocks = []
    length = 0
    quiet = 0
    spoke = false
    return whole
  }
  return {
    feed(samples) {
      const level = measureLoudness(samples)
      // Down at once, up slowly: what goes on is the room.
      floor = level < floor ? level : Math.min(loudestRoom, floor + (level - floor) * 0.002)
      const speaks = level > Math.max(leastLoudness, floor * 3)
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

const joinBlocks = (blocks: readonly Float32Array[], length: number): Float32Array => {
  const whole = new Float32Array(length)
  let at = 0
  for (const block of blocks) {
    whole.set(block, at)
    at += block.length
  }
  return whole
}
