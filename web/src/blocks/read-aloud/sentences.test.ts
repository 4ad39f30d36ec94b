import { describe, expect, test } from 'vitest'
import { cutSentences, languageOf, sentencesOf } from './sentences.ts'

const cut = (text: string, most?: number) => cutSentences(text, most).map(({ start, end }) => text.slice(start, end))

describe('sentences', () => {
  test('are cut where one ends, and blank ones are left out', () => {
    expect(cut('One is here. Is two? Three!  \n ').map((one) => one.trim())).toEqual([
      'One is here.',
      'Is two?',
      'Three!',
    ])
  })

  test('that are too long are cut at a space, and in a word where there is none', () => {
    expect(cut('aaa bbb ccc ddd', 8)).toEqual(['aaa bbb ', 'ccc ddd'])
    expect(cut('x'.repeat(20), 8)).toEqual(['x'.repeat(8), 'x'.repeat(8), 'x'.repeat(4)])
    expect(cut('word '.repeat(2000)).every((one) => one.length <= 401)).toBe(true)
  })
})

test.each([
  ['Good morning', null],
  ['صباح الخير', 'ar'],
  ['おはよう 世界', 'ja'],
  ['你好', 'zh'],
  ['Доброе утро', 'ru'],
])('the language of %s is told by its script', (text, language) => {
  expect(languageOf(text)).toBe(language)
})

test('a text that stands nowhere on the page is read from its beginning, as far as anybody listens', () => {
  expect(sentencesOf('One  is\nhere. Two.')).toEqual([
    { text: 'One is here.', range: null },
    { text: 'Two.', range: null },
  ])
  expect(sentencesOf(' \n ')).toEqual([])
  expect(sentencesOf('A word. '.repeat(100_000)).length).toBeLessThan(50_000)
})
