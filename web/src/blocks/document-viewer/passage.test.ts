import { expect, test } from 'vitest'
import { findPassage, findPhrases, type ItemRange, pageTextOf } from './passage.ts'

const words = (items: readonly string[], ranges: readonly ItemRange[]) =>
  ranges.map(({ item, from, to }) => items[item]?.slice(from, to))

test('a passage is found across lines, hyphens, ligatures and accents', () => {
  const items = ['Before. The ofﬁce was de-', 'stroyed by ﬁre in ', 'Zürich. After.']
  const found = findPassage(pageTextOf(items), 'The office was destroyed\nby fire in Zu\u0308rich.')
  expect(words(items, found)).toEqual(['The ofﬁce was de', 'stroyed by ﬁre in', 'Zürich.'])
})

test('a passage with something in its middle that the page draws otherwise is found by its ends', () => {
  const items = ['The quick brown fox jumps over ', '[figure 1]', ' the lazy dog and then sleeps all day.']
  const passage = 'The quick brown fox jumps over the lazy dog and then sleeps all day.'
  expect(words(items, findPassage(pageTextOf(items), passage))).toHaveLength(3)
})

test('a passage whose lines stand in another order is found line by line', () => {
  const items = ['second column of words', 'first column of words', 'a heading that is not in it']
  const found = findPassage(pageTextOf(items), 'first column of words second column of words')
  expect(found.map(({ item }) => item)).toEqual([0, 1])
})

test('a passage that is not on the page is nowhere', () => {
  expect(findPassage(pageTextOf(['Some other words.']), 'Nothing of this kind stands here at all.')).toEqual([])
  expect(findPassage(pageTextOf([]), 'words')).toEqual([])
})

test('every place of a phrase is found', () => {
  const items = ['a cat and a', ' cat', 'alogue']
  const found = findPhrases(pageTextOf(items), 'A CAT')
  expect(found.map((ranges) => words(items, ranges))).toEqual([['a cat'], ['a', 'cat']])
})
