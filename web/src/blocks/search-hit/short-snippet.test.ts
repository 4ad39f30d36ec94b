import { expect, test } from 'vitest'
import { shortSnippet } from './short-snippet.ts'

const marked = ({ snippet, matches }: ReturnType<typeof shortSnippet>) =>
  matches.map(([start, end]) => snippet.slice(start, end))

test('a snippet for one line begins a few words before its first match', () => {
  const snippet = '… all of these many words stand before the harbour cranes, and the cranes stand still'
  const at = (word: string, from = 0): [number, number] => [
    snippet.indexOf(word, from),
    snippet.indexOf(word, from) + word.length,
  ]
  const short = shortSnippet({ snippet, matches: [at('harbour'), at('cranes'), at('cranes', 60)] })
  expect(short.snippet).toMatch(/^… (stand )?before the harbour cranes, and/)
  expect(marked(short)).toEqual(['harbour', 'cranes', 'cranes'])
})

test('one that begins with its match, or has none, stays as it is', () => {
  const early = { snippet: 'The harbour stands', matches: [[4, 11] as [number, number]] }
  expect(shortSnippet(early)).toEqual(early)
  expect(shortSnippet({ snippet: 'nothing here', matches: [] })).toEqual({ snippet: 'nothing here', matches: [] })
})
