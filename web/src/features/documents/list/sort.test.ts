import type { Document } from '@atrium/contract/documents'
import { expect, test } from 'vitest'
import { filterOf } from '../data/cache.ts'
import { rangesOf, readPassage, readSearch } from '../search.ts'
import { nextSort, sortDocuments } from './sort.ts'

const named = (filename: string, size: number) => ({ id: filename, filename, size }) as Document
const plain = (value: object) => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))

test('names are put in the order in which people count, and figures by size', () => {
  const documents = [named('Page 10', 1), named('page 9', 3), named('Alpha', 2)]
  const order = (sort: Parameters<typeof sortDocuments>[1]) => sortDocuments(documents, sort).map(({ id }) => id)
  expect(order('name')).toEqual(['Alpha', 'page 9', 'Page 10'])
  expect(order('-size')).toEqual(['page 9', 'Alpha', 'Page 10'])
  expect(order(undefined)).toEqual(['Page 10', 'page 9', 'Alpha'])
})

test('a column is sorted one way, then the other, then not at all', () => {
  expect(nextSort(undefined, 'name')).toBe('name')
  expect(nextSort('name', 'name')).toBe('-name')
  expect(nextSort('-name', 'name')).toBeUndefined()
  expect(nextSort('name', 'size')).toBe('-size')
})

test('an address is read for what it can mean', () => {
  const read = readSearch({ in: 'shared', status: 'eaten', q: '42', sort: '-size', other: 1 })
  expect(plain(read)).toEqual({ in: 'shared', q: '42', sort: '-size' })
  expect(filterOf({ ...read, collection: 'c1' })).toEqual({ collectionId: 'c1', q: '42' })
  expect(plain(readPassage({ from: '10', to: '20', page: 'two' }))).toEqual({ from: 10, to: 20 })
  expect(plain(readPassage({ from: '-1', to: '', keys: '4-9;drop' }))).toEqual({})
  const { keys } = readPassage({ from: '0', to: '99', keys: '12-18.40-52' })
  expect(rangesOf(keys)).toEqual([
    { start: 12, end: 18 },
    { start: 40, end: 52 },
  ])
  expect(rangesOf(undefined)).toBeUndefined()
})
