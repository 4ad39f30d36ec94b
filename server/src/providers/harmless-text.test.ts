import { expect, test } from 'vitest'
import { createHarmlessText, makeHarmless, maxMarks } from './harmless-text.ts'

const inPieces = (text: string, size: number): string => {
  const cleaner = createHarmlessText()
  let out = ''
  for (let at = 0; at < text.length; at += size) out += cleaner.push(text.slice(at, at + size))
  return out + cleaner.end()
}

const cases: [string, string, string][] = [
  ['plain text stays as it is', 'a\tb\n\nc — é 漢字 العَرَبِيَّة 👩‍👩‍👧 ❤️ 1️⃣', 'a\tb\n\nc — é 漢字 العَرَبِيَّة 👩‍👩‍👧 ❤️ 1️⃣'],
  ['controls are left out', 'a\u0000b\u001b[31mc\u007fd\u0085e\u009bf', 'ab[31mcdef'],
  ['line ends become one kind', 'a\r\nb\rc\r\r\nd\n', 'a\nb\nc\n\nd\n'],
  ['half characters become replacement characters', 'a\ud83db\ude00c\ud83d', 'a\ufffdb\ufffdc\ufffd'],
  ['marks are kept as far as a language uses them', `ཧ${'\u0fb2'.repeat(9)}`, `ཧ${'\u0fb2'.repeat(9)}`],
  [
    'a tower of marks is cut',
    `a${'\u0301'.repeat(400)}b${'\u{1e8d0}'.repeat(50)}`,
    `a${'\u0301'.repeat(maxMarks)}b${'\u{1e8d0}'.repeat(maxMarks)}`,
  ],
]

test.each(cases)('%s, however it is cut', (_, text, expected) => {
  expect(makeHarmless(text)).toBe(expected)
  for (const size of [1, 2, 3, 7]) expect([size, inPieces(text, size)]).toEqual([size, expected])
  expect(makeHarmless(text).isWellFormed()).toBe(true)
})

test('two million marks cost one pass', () => {
  expect(makeHarmless(`a${'\u0301'.repeat(2_000_000)}`)).toHaveLength(1 + maxMarks)
  expect(inPieces(`a${'\u0301'.repeat(200_000)}`, 1)).toHaveLength(1 + maxMarks)
})
