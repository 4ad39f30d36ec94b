import { describe, expect, test } from 'vitest'
import { encodeWav } from '../../lib/wav.ts'
import { sampleRate } from '../microphone/samples.ts'
import { createPhraseCutter } from './phrases.ts'

const block = 1600
const tone = (level: number, blocks: number): Float32Array[] =>
  Array.from({ length: blocks }, () => Float32Array.from({ length: block }, (_, at) => level * Math.sin(at / 4)))

/** The lengths in seconds of the phrases that a recording is cut into. */
const cut = (blocks: readonly Float32Array[]) => {
  const cutter = createPhraseCutter()
  const phrases = blocks.flatMap((one) => cutter.feed(one) ?? [])
  const rest = cutter.flush()
  return [...phrases, ...(rest ? [rest] : [])].map((phrase) => Math.round((phrase.length / sampleRate) * 10) / 10)
}

describe('a recording', () => {
  test('is cut where somebody pauses, with half a second of what was before', () => {
    expect(cut([...tone(0.001, 20), ...tone(0.3, 10), ...tone(0.001, 10), ...tone(0.3, 5)])).toEqual([2.4, 0.7])
  })

  test('in which nobody speaks has no phrase, in a loud room neither', () => {
    expect(cut(tone(0.001, 50))).toEqual([])
    expect(cut(tone(0.02, 5))).toEqual([])
  })

  test('without a pause is cut before it is too long for a model', () => {
    expect(cut(tone(0.3, 300))).toEqual([25, 5])
  })
})

test('a phrase becomes a WAV of 16 kHz and 16 bits, and what is too loud is cut off', () => {
  const bytes = Buffer.from(encodeWav(Float32Array.from([0, 0.5, -2, 2]), sampleRate))
  expect(bytes.subarray(0, 4).toString()).toBe('RIFF')
  expect(bytes.readUInt32LE(24)).toBe(16_000)
  expect([44, 46, 48, 50].map((at) => bytes.readInt16LE(at))).toEqual([0, 16_384, -32_767, 32_767])
})
