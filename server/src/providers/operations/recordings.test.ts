import { expect, test } from 'vitest'
import { cutRecording, joinTranscriptions } from './recordings.ts'
import type { Transcription } from './types.ts'
import { toWav } from './wav.ts'

const rate = 8000
/** Speech is a tone, pauses (from, to, in seconds) are silence. */
const recordingOf = (seconds: number, pauses: readonly (readonly [number, number])[], channels = 1): Uint8Array => {
  const samples = new Int16Array(seconds * rate * channels)
  for (let at = 0; at < samples.length; at++) {
    const time = at / channels / rate
    const quiet = pauses.some(([from, to]) => time >= from && time < to)
    samples[at] = quiet ? at % 3 : Math.round(8000 * Math.sin(time * 1400))
  }
  return toWav(new Uint8Array(samples.buffer), { rate, channels })
}
const ask = (audio: Uint8Array) => ({ audio, fileName: 'talk.wav', mediaType: 'audio/wav', segments: true })
const lengths = (audio: Uint8Array, config = {}) =>
  cutRecording(ask(audio), config).map((piece) => (piece.audio.byteLength - 44) / 2 / rate)

test('a long recording is cut in the middle of pauses, and nothing of it is lost', () => {
  const audio = recordingOf(700, [
    [100, 101],
    [288, 289],
    [580, 581],
  ])
  const pieces = cutRecording(ask(audio), {})
  expect(pieces).toHaveLength(3)
  const [first = 0, second = 0] = lengths(audio)
  expect(first).toBeGreaterThan(288)
  expect(first).toBeLessThan(289)
  expect(first + second).toBeGreaterThan(580)
  expect(first + second).toBeLessThan(581)
  const whole = Buffer.concat(pieces.map((piece) => piece.audio.subarray(44)))
  expect(whole.equals(Buffer.from(audio).subarray(44))).toBe(true)
})

test('where nobody pauses it is cut nevertheless, in both channels at once', () => {
  const pieces = cutRecording(ask(recordingOf(70, [], 2)), { max_audio_seconds: 30 })
  expect(pieces.length).toBeGreaterThanOrEqual(3)
  for (const { audio } of pieces) expect((audio.byteLength - 44) % 4).toBe(0)
})

test('a provider that takes less is given less', () => {
  expect(Math.max(...lengths(recordingOf(100, []), { max_audio_bytes: 44 + 40 * rate * 2 }))).toBeLessThanOrEqual(40)
  expect(Math.max(...lengths(recordingOf(30, []), { max_audio_seconds: 1 }))).toBeLessThanOrEqual(10)
})

const long = recordingOf(320, [])
const changed = (change: (file: Buffer) => void): Uint8Array => {
  const file = Buffer.from(long)
  change(file)
  return new Uint8Array(file)
}
test.each([
  ['short', recordingOf(20, [])],
  ['compressed', new TextEncoder().encode('ID3 and so on')],
  ['of floating-point samples', changed((file) => file.writeUInt16LE(3, 20))],
  ['of 24 bits', changed((file) => file.writeUInt16LE(24, 34))],
  ['of no channels', changed((file) => file.writeUInt16LE(0, 22))],
  ['without a shape', changed((file) => file.write('junk', 12, 'latin1'))],
  ['cut off in its head', long.subarray(0, 30)],
  ['empty', new Uint8Array()],
])('what is %s is left as it is', (_, audio) => {
  const whole = ask(audio)
  expect(cutRecording(whole, {})).toEqual([whole])
})

test('a head that tells of hours is not believed', () => {
  const lying = changed((file) => file.writeUInt32LE(0xff_ff_ff_f0, 40))
  expect(lengths(lying).reduce((sum, seconds) => sum + seconds, 0)).toBe(320)
})

test('what was heard is put together with times of the whole, within its piece', () => {
  const pieces = cutRecording(ask(recordingOf(50, [])), { max_audio_seconds: 20 })
  const [first = 0, second = 0] = lengths(recordingOf(50, []), { max_audio_seconds: 20 })
  const heard = (text: string, segments: Transcription['segments'], language: string | null = null): Transcription => ({
    text,
    language,
    seconds: null,
    segments,
    inputTokens: 3,
    outputTokens: null,
  })
  const answers = [
    heard(' One. ', [{ start: 1, end: 2, text: 'One.' }]),
    heard('Two.', [{ start: 0, end: 9000, text: 'Two.' }], 'en'),
    heard('Three.', []),
  ] as const
  const joined = joinTranscriptions(answers, pieces.slice(0, 3))
  expect(joined).toMatchObject({ text: 'One. Two. Three.', language: 'en', inputTokens: 9, outputTokens: null })
  expect(joined.segments.map(({ start, end }) => [start, end])).toEqual([
    [1, 2],
    [first, first + second],
    [first + second, joined.seconds],
  ])
})
