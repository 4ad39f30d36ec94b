import { expect, test } from 'vitest'
import type { StoredPassage } from '../stores/index.ts'
import { pickPassages, type RankedPassage, textOf, textWithHead } from './pick.ts'

const text = 'The first part. The second part. The third part. The fourth part.'
const passage = (documentId: string, index: number, over: Partial<StoredPassage> = {}): StoredPassage => {
  const [start, end] = [index * 16, Math.min(text.length, index * 16 + 24)]
  return {
    id: `${documentId}:${index}`,
    documentId,
    index,
    start,
    end,
    text: text.slice(start, end),
    head: null,
    location: null,
    ...over,
  }
}
const found = (documentId: string, index: number, score: number, over: Partial<StoredPassage> = {}): RankedPassage => ({
  passage: passage(documentId, index, over),
  score,
  foundBy: 'words',
  similarity: null,
  lexical: score,
})
const ids = (picked: ReturnType<typeof pickPassages>) =>
  picked.map(({ passages }) => passages.map(({ id }) => id).join('+'))

test('the best come first, up to the limit', () => {
  expect(ids(pickPassages([found('a', 0, 1), found('b', 0, 3), found('c', 0, 2)], 2))).toEqual(['b:0', 'c:0'])
  expect(pickPassages([], 5)).toEqual([])
})

test('neighbours become one passage, which takes one place and has the best score', () => {
  const picked = pickPassages([found('a', 5, 9), found('a', 4, 4), found('a', 9, 3), found('b', 6, 2)], 3)
  expect(ids(picked)).toEqual(['a:4+a:5', 'a:9', 'b:6'])
  expect(picked[0]).toMatchObject({ score: 9, chunkIndex: 5 })
})

test('a passage between two that were picked makes one of all three, and frees a place', () => {
  expect(ids(pickPassages([found('a', 1, 9), found('a', 3, 8), found('a', 2, 7), found('b', 0, 1)], 2))).toEqual(
    ['a:1+a:2+a:3'].concat('b:0'),
  )
})

test('not more than three neighbours are joined', () => {
  const all = [0, 1, 2, 3].map((index) => found('a', index, 9 - index))
  expect(ids(pickPassages(all, 5))).toEqual(['a:0+a:1+a:2', 'a:3'])
})

test('neighbours on different pages stay apart, so that each is cited to its page', () => {
  const page = (number: number) => ({ location: { kind: 'page', label: `Page ${number}`, number } as const })
  expect(ids(pickPassages([found('a', 0, 2, page(1)), found('a', 1, 1, page(2))], 5))).toEqual(['a:0', 'a:1'])
  expect(ids(pickPassages([found('a', 0, 2, page(1)), found('a', 1, 1, page(1))], 5))).toEqual(['a:0+a:1'])
})

test('a document does not take every place when others fit nearly as well', () => {
  const one = [0, 2, 4, 6].map((index) => found('a', index, 10 - index / 10))
  expect(ids(pickPassages([...one, found('b', 0, 9.3)], 3))).toEqual(['a:0', 'b:0', 'a:2'])
  expect(ids(pickPassages([...one, found('b', 0, 3)], 3))).toEqual(['a:0', 'a:2', 'a:4'])
})

test('found by words in one neighbour and by meaning in the other is found by both', () => {
  const meant: RankedPassage = { ...found('a', 1, 1), foundBy: 'meaning', similarity: 0.8, lexical: null }
  expect(pickPassages([found('a', 0, 2), meant], 2)).toMatchObject([{ foundBy: 'both', similarity: 0.8, lexical: 2 }])
})

test('what neighbours share is there once', () => {
  expect(textOf([passage('a', 0), passage('a', 1), passage('a', 2)])).toBe(text.slice(0, 56))
  const apart = [passage('a', 0), { ...passage('a', 2), start: 30 }]
  expect(textOf(apart)).toBe(`${text.slice(0, 24)}\n\n${text.slice(32, 56)}`)
})

test('rows of a table come with the names of their columns', () => {
  const rows = passage('a', 1, { head: 'Name | Price' })
  expect(textWithHead([rows])).toBe(`Name | Price\n${rows.text}`)
  expect(textWithHead([{ ...rows, head: rows.text.slice(0, 4) }])).toBe(rows.text)
})
