import { expect, test } from 'vitest'
import { sampleRate } from '../microphone/samples.ts'
import { type Transcript, transcribeSamples } from './transcribe-file.ts'

const minutes = (count: number) => new Float32Array(count * 60 * sampleRate)
const heard = (text: string, end = 1): Transcript => ({ text, segments: [{ start: 0, end, text }], missing: null })
const how = (before?: Transcript) => ({ before, signal: new AbortController().signal, onProgress: () => {} })

/** Says what it is told, one after the other; an Error is thrown. */
const saying = (...answers: (Transcript | Error)[]) => {
  const sizes: number[] = []
  return {
    sizes,
    hear: async (audio: Blob): Promise<Transcript> => {
      sizes.push(audio.size)
      const answer = answers[sizes.length - 1]
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often')
      return answer
    },
  }
}

test('a long recording whose later part fails keeps what was heard, and says from where on it is missing', async () => {
  const { hear, sizes } = saying(heard('One.'), new Error('The provider is away.'))
  const found = await transcribeSamples(minutes(25), how(), hear)
  expect(sizes).toHaveLength(2)
  expect(found).toMatchObject({ text: 'One.', segments: [{ start: 0, end: 1 }] })
  expect(found.missing?.end).toBe(1500)
  expect(found.missing?.start).toBeGreaterThan(500)
  expect(found.missing?.start).toBeLessThanOrEqual(600)
})

test('a part that the server heard half of counts with that half', async () => {
  const half: Transcript = { ...heard('Half.'), missing: { start: 300, end: 600, detail: 'Over budget.' } }
  const found = await transcribeSamples(minutes(9), how(), saying(half).hear)
  expect(found.missing).toEqual({ start: 300, end: 540, detail: 'Over budget.' })
})

test('it goes on from there, with the times of the whole, and asks for nothing twice', async () => {
  const before: Transcript = { ...heard('One.'), missing: { start: 600, end: 900, detail: '' } }
  const { hear, sizes } = saying(heard('Two.', 2))
  const found = await transcribeSamples(minutes(15), how(before), hear)
  expect(sizes).toEqual([44 + 300 * sampleRate * 2])
  expect(found).toEqual({
    text: 'One.\n\nTwo.',
    segments: [
      { start: 0, end: 1, text: 'One.' },
      { start: 600, end: 602, text: 'Two.' },
    ],
    missing: null,
  })
})

test('where nothing was heard, or somebody stopped it, there is no part', async () => {
  await expect(transcribeSamples(minutes(15), how(), saying(new Error('Gone.')).hear)).rejects.toThrow('Gone.')
  const stopped = { ...how(), signal: AbortSignal.abort() }
  await expect(transcribeSamples(minutes(15), stopped, saying(heard('One.'), new Error('No.')).hear)).rejects.toThrow()
})
