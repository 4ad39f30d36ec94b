/** The index of words as everybody sees it: it makes hashes of words, and a store of either database keeps and finds them. */
import type { KeyObject } from 'node:crypto'
import { runInWorker } from '../../work/work.ts'
import { type AnyTransaction, type Database, inTables } from '../types.ts'
import { createHasher, type Hash, type HashedEntry, hashEntries, type HashTask } from './hash.ts'
import { type HashedClause, noMatches, splitIntoBatches, type Trx, type WordStore } from './store.ts'
import type { SearchTables } from './tables.ts'
import { type Clause, clausesOf } from './terms.ts'
import type { HashedEntries, TextIndex } from './types.ts'
import { createPostgresWords } from './words-postgres.ts'
import { createSqliteWords } from './words-sqlite.ts'

/** Texts of fewer characters than this are hashed at once: that takes about a millisecond. */
const inlineLength = 5000
/** So much goes to a thread at a time, which others want, too. */
const taskLength = 500_000

export const createTexts = (database: Database, key: KeyObject): TextIndex => {
  const tables = database.tables<SearchTables>()
  const hash = createHasher(key)
  const store = database.dialect === 'sqlite' ? createSqliteWords(tables, hash) : createPostgresWords(tables)
  const within = <R>(trx: AnyTransaction | undefined, work: (trx: Trx) => Promise<R>): Promise<R> =>
    trx ? work(inTables<SearchTables>(trx)) : database.write<SearchTables, R>(work)
  const hashQuery = async (text: string, typing: boolean): Promise<HashedClause[]> => {
    const languages = await tables.selectFrom('search_languages').select('language').orderBy('language').execute()
    const clauses = clausesOf(
      text,
      languages.map(({ language }) => language),
      typing,
    )
    return clauses.map((clause) => hashClause(hash, clause))
  }

  return {
    hash: async (entries) => {
      const hashed: HashedEntry[] = []
      for (const some of portions(entries)) {
        const length = some.reduce((sum, { text }) => sum + text.length, 0)
        const task: HashTask = { key, entries: some }
        hashed.push(
          ...(length <= inlineLength
            ? hashEntries(task)
            : await runInWorker<HashTask, HashedEntry[]>(hashing, 'hashEntries', task)),
        )
      }
      return hashed as unknown as HashedEntries
    },
    put: async (entries, trx) => {
      // Opaque to everybody else; made by `hash` above.
      const hashed = entries as unknown as readonly HashedEntry[]
      if (hashed.length > 0) await within(trx, (open) => store.put(open, hashed))
    },
    find: async ({ text, partitions, groups, facets, after, before, limit, everyWord = false, typing = false }) => {
      if (partitions.length === 0 || groups?.length === 0 || limit < 1) return []
      const clauses = await hashQuery(text, typing)
      if (clauses.length === 0) return []
      return await store.find({
        partitions,
        groups,
        after,
        before,
        limit,
        everyWord,
        facets: (facets ?? []).map((facet) => hash(`facet:${facet}`)),
        clauses,
      })
    },
    matching: async ({ text, partitions, typing = false }) => {
      const clauses = partitions.length === 0 ? [] : await hashQuery(text, typing)
      return clauses.length === 0 ? noMatches : await store.matching({ clauses, partitions })
    },
    move: async (groups, partition, trx) => {
      await within(trx, async (open) => {
        for (const names of splitIntoBatches(groups))
          await open.updateTable('search_groups').set({ shelf: partition }).where('name', 'in', names).execute()
      })
    },
    remove: async (ids, trx) => {
      if (ids.length > 0) await within(trx, (open) => store.remove(open, ids))
    },
    removeGroups: async (groups, trx) => within(trx, (open) => removeGroups(store, open, 'name', groups)),
    removePartitions: async (partitions, trx) => within(trx, (open) => removeGroups(store, open, 'shelf', partitions)),
  }
}

const hashing = new URL('./hash.ts', import.meta.url)

function* portions<T extends { readonly text: string }>(entries: readonly T[]): Generator<T[]> {
  let some: T[] = []
  let length = 0
  for (const entry of entries) {
    some.push(entry)
    length += entry.text.length
    if (length < taskLength) continue
    yield some
    some = []
    length = 0
  }
  if (some.length > 0) yield some
}

const hashClause = (hash: Hash, { whole, kin, parts }: Clause): HashedClause => ({
  whole: hash(whole),
  kin: kin.map(hash),
  parts: parts.map((part) => ({ word: hash(part.word), kin: part.kin.map(hash) })),
})

const removeGroups = async (
  store: WordStore,
  trx: Trx,
  by: 'name' | 'shelf',
  values: readonly string[],
): Promise<void> => {
  for (const some of splitIntoBatches(values)) {
    const rows = await trx.selectFrom('search_groups').select('number').where(by, 'in', some).execute()
    await store.removeGroups(
      trx,
      rows.map(({ number }) => number),
    )
  }
}
