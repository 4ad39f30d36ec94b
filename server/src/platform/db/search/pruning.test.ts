import { expect, it } from 'vitest'
import { expressHits, type Frequency } from './pruning.ts'

const of = 100_000
const word = (hash: string, entries: number): Frequency[] => [{ hash, entries }]
const rare = word('rare', 10)
const middling = word('middling', 1000)
const other = word('other', 1200)
const frequent = word('frequent', 20_000)

it.each([
  ['a word that is enough by itself', [rare, frequent], 15, '"rare"'],
  ['two words that are enough together', [middling, other], 15, '(("middling") AND ("other"))'],
  ['all, where each is enough', [middling, other], 5, null],
  [
    'a frequent word only beside another, and not at all where it changes nothing',
    [rare, middling, other, frequent],
    11,
    '"rare" OR (("middling" OR "other") AND ("frequent")) OR (("middling") AND ("other"))',
  ],
  [
    'words with a common term as one',
    [[...middling, ...frequent], [...other, ...frequent], rare],
    21.5,
    '"other" OR "frequent" OR "middling"',
  ],
] as const)('hits are found by %s', (_, words, score, expression) => {
  expect(expressHits(words, of, score)).toBe(expression)
})
