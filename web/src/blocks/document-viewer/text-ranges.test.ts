import { expect, test } from 'vitest'
import { pageAt, pagesOf, placeOnPage, wordsOn } from './pages.ts'
import { blocksOf, findAll, piecesOf } from './text-ranges.ts'

const segment = (label: string, startChar: number, endChar: number) => ({
  kind: 'page' as const,
  label,
  startChar,
  endChar,
})

test('blocks hold the whole text in order, and each segment begins one', () => {
  const content = `${'A line of words.\n'.repeat(400)}${'x'.repeat(9000)}\n${'word '.repeat(2000)}`
  const segments = [segment('Page 1', 0, 5000), segment('Page 2', 5000, content.length)]
  const blocks = blocksOf(content, segments)
  expect(blocks.map(({ start, end }) => content.slice(start, end)).join('')).toBe(content)
  expect(blocks.filter((block) => block.segment !== null).map((block) => block.start)).toEqual([0, 5000])
  expect(Math.max(...blocks.map(({ start, end }) => end - start))).toBeLessThanOrEqual(4000)
})

test('a block never cuts a pair of surrogates', () => {
  const content = `a${'😀'.repeat(5000)}`
  for (const { start } of blocksOf(content, [])) expect(content.charCodeAt(start)).not.toBeGreaterThan(0xdbff)
})

test('an empty text has no blocks', () => expect(blocksOf('', [])).toEqual([]))

test('words are found whatever their case and white space, and signs of patterns are plain', () => {
  expect(findAll('The  Cat.\nthe\ncat? (a+b)', 'the cat')).toEqual([
    { start: 0, end: 8 },
    { start: 10, end: 17 },
  ])
  expect(findAll('The cat (a+b)', '(a+b)')).toEqual([{ start: 8, end: 13 }])
  expect(findAll('anything', '   ')).toEqual([])
})

test('pieces of a block are marked by what weighs most', () => {
  const content = 'one two three four'
  const hits = findAll(content, 'two')
  const pieces = piecesOf(content, { start: 0, end: 18 }, { start: 0, end: 13 }, hits, hits[0] ?? null)
  expect(pieces).toEqual([
    { text: 'one ', mark: 'passage' },
    { text: 'two', mark: 'current' },
    { text: ' three', mark: 'passage' },
    { text: ' four', mark: null },
  ])
})

test('the key sentences of a passage are marked more than the rest of it', () => {
  const passage = { start: 0, end: 13 }
  expect(piecesOf('one two three four', { start: 0, end: 18 }, passage, [], null, [{ start: 4, end: 7 }])).toEqual([
    { text: 'one ', mark: 'passage' },
    { text: 'two', mark: 'key' },
    { text: ' three', mark: 'passage' },
    { text: ' four', mark: null },
  ])
})

test('a passage is told apart by the pages that it reaches over', () => {
  const content = 'first page here second page there'
  const pages = pagesOf([segment('Page 3', 0, 15), segment('Page 4', 16, 33)])
  expect(pageAt(pages, 20)).toBe(4)
  const passage = { start: 6, end: 22 }
  expect(wordsOn(3, content, pages, passage, 3)).toBe('page here')
  expect(wordsOn(4, content, pages, passage, 3)).toBe('second')
  expect(wordsOn(5, content, pages, passage, 3)).toBeNull()
  const hits = findAll(content, 'page')
  expect(placeOnPage(pages, hits, hits[1] as { start: number; end: number })).toBe(0)
})
