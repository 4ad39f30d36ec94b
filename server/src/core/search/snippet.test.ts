import { expect, test } from 'vitest'
import { snippetOf } from './snippet.ts'

const marked = (text: string, query: string): string[] => {
  const { snippet, matches } = snippetOf(text, query)
  return matches.map(([start, end]) => snippet.slice(start, end))
}

test('words are marked as they stand in the text, whatever their case, accents and endings', () => {
  const cases: [string, string, string[]][] = [
    ['The café charges at night.', 'CAFE charging', ['café', 'charges']],
    ['Straße und Strasse', 'strasse', ['Straße', 'Strasse']],
    ['elegant', 'elephant', []],
    ['Every warranty ends.', 'warr', ['warranty']],
    ['Every warranty ends.', 'warr ends', ['ends']],
    ['契約は三月に終わる', '契約', ['契約']],
    ['رسالة من المدير', 'المدير', ['المدير']],
    ['nothing here', 'elephant', []],
  ]
  for (const [text, query, words] of cases) expect(marked(text, query), query).toEqual(words)
})

test('a long text is cut where most of the words stand, at borders of words', () => {
  const filler = 'lorem ipsum dolor sit amet '.repeat(40)
  const { snippet, matches } = snippetOf(`pump ${filler}\nthe pump has a warranty ${filler}`, 'pump warranty')
  expect(snippet).toMatch(/^… .* …$/)
  expect(snippet.length).toBeLessThan(260)
  expect(matches.map(([start, end]) => snippet.slice(start, end))).toEqual(['pump', 'warranty'])
  expect(snippet).not.toContain('\n')
})

test('without a match it is the beginning of the text', () => {
  expect(snippetOf('short', 'x')).toEqual({ snippet: 'short', matches: [] })
  expect(snippetOf('word '.repeat(100), 'x').snippet).toMatch(/^word .*word …$/)
})

test('no sign of two units is cut in halves', () => {
  const { snippet } = snippetOf('😀'.repeat(300), 'x')
  expect(snippet.isWellFormed()).toBe(true)
})
