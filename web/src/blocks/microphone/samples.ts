/** What a microphone gives, as numbers: at one rate, how loud it is, and whether somebody speaks. Pure. */

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

export const joinBlocks = (blocks: readonly Float32Array[]): Float32Array => {
  const whole = new Float32Array(blocks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const block of blocks) {
    whole.set(block, at)
    at += block.length
  }
  return whole
}

/** Below this nobody speaks, however quiet the room is. */
const leastLoudness = 0.008
/** What is louder than this for long is somebody who speaks without a breath. */
const loudestRoom = 0.03

/**
 * Tells speech from the room, block by block, and learns how loud the room is, so that a fan is no speech. `times`: how
 * much louder than the room somebody has to be.
 */
export function createSpeechGate(): (samples: Float32Array, times?: number) => boolean {
  let floor = 0.01
  return (samples, times = 3) => {
    const level = measureLoudness(samples)
    // Down at once, up slowly: what goes on is the room.
    floor = level < floor ? level : Math.min(loudestRoom, floor + (level - floor) * 0.002)
    return level > Math.max((leastLoudness * times) / 3, floor * times)
  }
}
