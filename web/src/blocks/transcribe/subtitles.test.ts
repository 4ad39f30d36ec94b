import { expect, test } from 'vitest'
import { sampleRate } from '../microphone/samples.ts'
import { cutAtPauses, mixChannels } from './parts.ts'
import { clockOf, writeSubtitles } from './subtitles.ts'

const segments = [
  { start: 0, end: 1.5, text: ' Hello. ' },
  { start: 3661.25, end: 3662, text: 'Later.' },
]

test('what was spoken is written as SubRip and as WebVTT', () => {
  expect(writeSubtitles(segments, 'srt')).toBe(
    '1\n00:00:00,000 --> 00:00:01,500\nHello.\n\n2\n01:01:01,250 --> 01:01:02,000\nLater.\n\n',
  )
  expect(writeSubtitles(segments, 'vtt')).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nHello.\n\n01:01:01.250 --> 01:01:02.000\nLater.\n\n',
  )
})

test.each([
  [0, '0:00'],
  [65.9, '1:05'],
  [3661, '1:01:01'],
])('%d s is read as %s', (seconds, clock) => expect(clockOf(seconds)).toBe(clock))

test('a recording is cut where it is quiet, and nothing of it is lost', () => {
  const samples = new Float32Array(95 * sampleRate).fill(0.5).fill(0, 50 * sampleRate, 51 * sampleRate)
  const parts = cutAtPauses(samples, 60)
  expect(parts.reduce((sum, { length }) => sum + length, 0)).toBe(samples.length)
  const first = (parts[0]?.length ?? 0) / sampleRate
  expect(first).toBeGreaterThan(50)
  expect(first).toBeLessThan(51)
  expect(parts).toHaveLength(2)
  expect(cutAtPauses(samples)).toEqual([samples])
  expect(cutAtPauses(new Float32Array())).toEqual([])
})

test('two channels become one', () => {
  const left = new Float32Array([1, 0])
  expect(mixChannels([left])).toBe(left)
  expect([...mixChannels([left, new Float32Array([0, 0])])]).toEqual([0.5, 0])
})
