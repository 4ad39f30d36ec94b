/** A recording as one takes it to the server: in parts that begin and end where it is quiet. Pure. */
import { measureLoudness, sampleRate } from '../microphone/samples.ts'

/** Ten minutes at 16 kHz are 19 MB: the server takes 25, and cuts them on. */
const mostSeconds = 600
const lookSeconds = 30
const pauseSeconds = 0.4

/** Samples at 16 kHz; nothing is lost between the parts. */
export function cutAtPauses(samples: Float32Array, most = mostSeconds): Float32Array[] {
  const parts: Float32Array[] = []
  for (let at = 0; at < samples.length; ) {
    const limit = at + most * sampleRate
    const end = samples.length <= limit ? samples.length : findPause(samples, at, limit)
    parts.push(samples.subarray(at, end))
    at = end
  }
  return parts
}

function findPause(samples: Float32Array, begin: number, end: number): number {
  const width = pauseSeconds * sampleRate
  const from = Math.max(begin, end - lookSeconds * sampleRate)
  let [quietest, best] = [Number.POSITIVE_INFINITY, end]
  for (let at = from; at + width <= end; at += width / 4) {
    const loudness = measureLoudness(samples.subarray(at, at + width))
    // The last of equal ones: fewer parts.
    if (loudness <= quietest) [quietest, best] = [loudness, at + width / 2]
  }
  return Math.round(best)
}

/** All channels as one. */
export function mixChannels(channels: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(), ...others] = channels
  if (others.length === 0) return first
  return first.map((sample, at) => others.reduce((sum, other) => sum + (other[at] ?? 0), sample) / channels.length)
}
