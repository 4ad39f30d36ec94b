import { expect, test } from 'vitest'
import { splitByMatches } from './split-by-matches.ts'

const shown = (text: string, matches: [number, number][]) =>
  splitByMatches(text, matches).map(({ text: part, marked }) => (marked ? `[${part}]` : part))

test.each<[string, [number, number][], string[]]>([
  ['kites fly', [[0, 5]], ['[kites]', ' fly']],
  ['kites fly', [], ['kites fly']],
  [
    'kites fly high',
    [
      [10, 14],
      [0, 5],
    ],
    ['[kites]', ' fly ', '[high]'],
  ],
  [
    'kites',
    [
      [0, 3],
      [2, 5],
    ],
    ['[kit]', '[es]'],
  ],
  ['kites', [[3, 99]], ['kit', '[es]']],
  ['', [[0, 2]], []],
])('a snippet is cut at its matches: %s %j', (text, matches, expected) => {
  expect(shown(text, matches)).toEqual(expected)
  expect(shown(text, matches).join('').replaceAll(/[[\]]/g, '')).toBe(text)
})
