import { expect, test } from 'vitest'
import { speakEnglish } from './index.ts'
import { isSpeakable, splitSentences } from './sentences.ts'
import { sampleRate } from './wav.ts'

const secondsOf = (wav: Uint8Array | null): number => ((wav?.length ?? 0) - 44) / 2 / sampleRate
/** How far the samples are from silence. */
const loudness = (wav: Uint8Array): number => {
  const samples = new Int16Array(wav.slice(44).buffer)
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
}

test('English is spoken, aloud, one sentence after the other, in each voice of its own', async () => {
  const one = await speakEnglish('The ferry leaves at nine.', { voice: 'slt' })
  const two = await speakEnglish('The ferry leaves at nine. It comes back in the evening.', { voice: 'slt' })
  if (!one || !two) throw new Error('Nothing was said.')
  const head = Buffer.from(one)
  expect(head.toString('latin1', 0, 4) + head.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ')
  expect(head.readUInt32LE(24)).toBe(sampleRate)
  expect(head.readUInt32LE(40)).toBe(one.length - 44)
  expect(secondsOf(one)).toBeGreaterThan(1)
  expect(loudness(one)).toBeGreaterThan(500)
  expect(secondsOf(two)).toBeGreaterThan(secondsOf(one) * 1.5)
  const other = await speakEnglish('The ferry leaves at nine.', { voice: 'kal16' })
  expect(Buffer.compare(Buffer.from(other ?? []), head)).not.toBe(0)
  const fast = await speakEnglish('The ferry leaves at nine.', { voice: 'slt', speed: 2 })
  expect(secondsOf(fast)).toBeLessThan(secondsOf(one) * 0.7)
})

test('a word of fifty thousand letters is said without overflowing', async () => {
  expect(splitSentences('x'.repeat(50_000)).every((part) => part.length <= 300)).toBe(true)
  const wav = await speakEnglish(`Look: ${'pneumono'.repeat(40)}.`, { voice: 'kal16' })
  expect(secondsOf(wav)).toBeGreaterThan(5)
})

test.each([
  ['مرحبا بكم في المنصة', false],
  ['日本語の文章です。', false],
  ['Привет, как дела?', false],
  ['Hello, 世界!', false],
  ['The word شكرا means thank you in Arabic.', true],
  ['42', true],
  ['…!?', false],
  ['', false],
])('whether %j can be said: %s', async (text, can) => {
  expect(isSpeakable(text)).toBe(can)
  if (!can) expect(await speakEnglish(text, { voice: 'slt' })).toBeNull()
})

test('a text is cut where sentences end, and within them only where they are long', () => {
  expect(splitSentences('Dr. No came. He left!\n\n- - -\nWhy?')).toEqual(['Dr. No came.', 'He left!', 'Why?'])
  const long = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ')
  const parts = splitSentences(long)
  expect(parts.length).toBeGreaterThan(3)
  expect(parts.join(' ')).toBe(long)
})
