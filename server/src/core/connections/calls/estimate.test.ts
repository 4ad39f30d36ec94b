import { expect, test } from 'vitest'
import { estimateTokens } from './estimate.ts'

const mebibyte = 2 ** 20

test('text counts by its length, and what is encoded in between as one picture each', async () => {
  const picture = 'QUJD'.repeat(2000)
  expect(await estimateTokens('')).toBe(0)
  expect(await estimateTokens('word '.repeat(8))).toBe(10)
  expect(await estimateTokens(picture)).toBe(1000)
  expect(await estimateTokens(`"${picture}"`)).toBe(1001)
  expect(await estimateTokens(`Look: "${picture}","${picture}==" and "${'a'.repeat(4000)}"`)).toBe(3005)
  expect(await estimateTokens(`${'x '.repeat(3000)}${picture}`)).toBe(2500)
})

test('a run counts as encoded from its least length on, wherever it begins', async () => {
  for (const before of [0, 1, 4095, 4096, 5000]) {
    const lead = ' '.repeat(before)
    expect(await estimateTokens(`${lead}${'a'.repeat(4096)}`)).toBe(Math.ceil(before / 4) + 1000)
    expect(await estimateTokens(`${lead}${'a'.repeat(4095)} `)).toBe(Math.ceil((before + 4096) / 4))
  }
})

test.each([
  ['words one letter short of a picture', `${'a'.repeat(4095)} `],
  ['one endless word', 'a'],
])('4 MB of %s are weighed in one pass', async (_, piece) => {
  const text = piece.repeat(Math.ceil((4 * mebibyte) / piece.length))
  expect(await estimateTokens(text)).toBeGreaterThan(0)
})
