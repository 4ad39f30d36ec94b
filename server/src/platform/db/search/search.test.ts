import { expect, test } from 'vitest'
import { testClock } from '../../../testing/clock.ts'
import { type Open, onBothDatabases } from '../../../testing/databases.ts'
import { vaultMigrations } from '../../vault/tables.ts'
import { openVault } from '../../vault/vault.ts'
import { createSearchIndexes, searchMigrations, type TextEntry, type TextIndex, type TextQuery } from './index.ts'

const begin = async (open: Open) => {
  const database = await open([...vaultMigrations, ...searchMigrations])
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock: testClock() })
  return { database, ...createSearchIndexes({ database, vault }) }
}

const entry = (id: string, text: string, changes: Partial<TextEntry> = {}): TextEntry => ({
  ...{ id, text, group: id.split(':')[0] ?? id, shelf: 'documents:ada', time: 0, facets: [] },
  ...changes,
})
const put = async (texts: TextIndex, ...entries: TextEntry[]) => texts.put(await texts.hash(entries))
const ids = async (texts: TextIndex, text: string, changes: Partial<TextQuery> = {}) =>
  (await texts.find({ text, shelves: ['documents:ada'], limit: 10, ...changes })).map(({ id }) => id)

onBothDatabases('the index of words', (open) => {
  test('finds entries by their words, best first, on the shelves that are asked for', async () => {
    const { texts } = await begin(open)
    await put(
      texts,
      entry('a:0', 'The quick brown fox jumps over the lazy dog.'),
      entry('a:1', 'A fox, a fox, and once more a fox.'),
      entry('b:0', 'Nothing about animals here.'),
      entry('c:0', 'Another fox of somebody else', { shelf: 'documents:bob' }),
    )
    expect(await ids(texts, 'fox')).toEqual(['a:1', 'a:0'])
    expect(await ids(texts, 'fox', { shelves: ['documents:bob'] })).toEqual(['c:0'])
    expect(await ids(texts, 'fox', { shelves: ['documents:bob', 'documents:ada'], limit: 1 })).toHaveLength(1)
    expect(await ids(texts, 'fox', { shelves: [] })).toEqual([])
    expect(await ids(texts, 'fox', { groups: ['b'] })).toEqual([])
    expect(await ids(texts, 'zebra')).toEqual([])
  })
})
