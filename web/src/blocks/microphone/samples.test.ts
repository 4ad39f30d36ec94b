import { expect, test } from 'vitest'
import { measureLoudness, resampleBlock, sampleRate } from './samples.ts'

test('samples of another rate keep their length in time and their loudness', () => {
  const given = Float32Array.from({ length: 48_000 }, (_, at) => 0.5 * Math.sin(at / 60))
  const first = resampleBlock(given.subarray(0, 20_000), 48_000)
  const second = resampleBlock(given.subarray(20_000), 48_000, first.carry)
  expect(first.samples.length + second.samples.length).toBe(sampleRate)
  expect(measureLoudness(second.samples)).toBeCloseTo(0.354, 2)
})
