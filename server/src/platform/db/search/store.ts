/** What an index of words needs of a database, and what both kinds share: groups, entries, languages. */
import { type RawBuilder, type Transaction, sql } from 'kysely'
import { runUnread } from '../unread.ts'
import type { HashedEntry } from './hash.ts'
import type { SearchTables } from './tables.ts'
import type { Matching, TextHit } from './types.ts'

/** A query whose words are hashed. */
export interface HashedQuery {
  readonly clauses: readonly HashedClause[]
  readonly everyWord: boolean
  readonly partitions: readonly string[]
  readonly groups: readonly string[] | undefined
  /** Hashes. */
  readonly facets: readonly string[]
  readonly after: number | undefined
  readonly before: number | undefined
  readonly limit: number
}

/** One that asks for groups alone. */
export type HashedMatch = Pick<HashedQuery, 'clauses' | 'partitions'>

export interface HashedClause {
  readonly whole: string
  readonly kin: readonly string[]
  readonly parts: readonly { readonly word: string; readonly kin: readonly string[] }[]
}

/** BM25 as FTS5 has it, with these weights for a word as it stands and for its stem. */
export const wordWeight = 1
export const kinWeight = 1

export type Trx = Transaction<SearchTables>

export interface WordStore {
  /** In place of what has the same ids. */
  put(trx: Trx, entries: readonly HashedEntry[]): Promise<void>
  find(asked: HashedQuery): Promise<readonly TextHit[]>
  matching(asked: HashedMatch): Promise<Matching>
  remove(trx: Trx, ids: readonly string[]): Promise<void>
  /** Removes entries, words and vectors of groups by their numbers. */
  removeGroups(trx: Trx, numbers: readonly number[]): Promise<void>
}

/** So many values fit into one statement on both databases. */
export const splitIntoBatches = <T>(values: readonly T[], size = 500): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size))

/** Those of the ids that have an entry, in batches: what is new costs one statement to put, and not one for each table. */
export async function* presentEntries(trx: Trx, ids: readonly string[]): AsyncGenerator<string[]> {
  for (const some of splitIntoBatches(ids)) {
    const rows = await trx.selectFrom('search_entries').select('id').where('id', 'in', some).execute()
    if (rows.length > 0) yield rows.map(({ id }) => id)
  }
}

/** The number of each pair of group and partition, made when it is not there yet. */
export const groupNumbers = async (
  trx: Trx,
  entries: readonly HashedEntry[],
): Promise<Map<string, { number: number; home: string }>> => {
  const wanted = new Map(
    entries.map(({ group, partition }) => [pairOf(group, partition), { name: group, shelf: partition }]),
  )
  const found = new Map<string, { number: number; home: string }>()
  const read = async (): Promise<void> => {
    for (const names of splitIntoBatches([...new Set([...wanted.values()].map(({ name }) => name))])) {
      const rows = await trx.selectFrom('search_groups').selectAll().where('name', 'in', names).execute()
      for (const { number, name, shelf, home } of rows) found.set(pairOf(name, shelf), { number, home })
    }
  }
  await read()
  const missing = [...wanted].filter(([pair]) => !found.has(pair)).map(([, row]) => row)
  for (const rows of splitIntoBatches(missing)) {
    const values = rows.map(({ name, shelf }) => sql`(${name}, ${shelf}, ${shelf})`)
    await sql`insert into search_groups (name, shelf, home) values ${sql.join(values)}`.execute(trx)
  }
  if (missing.length > 0) await read()
  return found
}

export const pairOf = (group: string, partition: string): string => `${group}\0${partition}`

/** More matches than this are many. */
export const mostFew = 64

export const noMatches: Matching = {
  few: [],
  all: sql`select null where 1 = 0`,
  among: () => sql`select null where 1 = 0`,
}

export const noteLanguages = async (trx: Trx, entries: readonly HashedEntry[]): Promise<void> => {
  for (const language of new Set(entries.map(({ language }) => language)))
    await runUnread(trx, sql`insert into search_languages (language) values (${language}) on conflict do nothing`)
}

/** What an entry `e` of a group `g` must be, beside having the words. */
export const entryConditions = ({ partitions, groups, facets, after, before }: HashedQuery): RawBuilder<unknown> => {
  const all = [sql`g.shelf in (${sql.join(partitions)})`]
  if (groups) all.push(sql`g.name in (${sql.join(groups)})`)
  for (const facet of facets) all.push(sql`e.facets like ${`% ${facet} %`}`)
  if (after !== undefined) all.push(sql`e.time >= ${after}`)
  if (before !== undefined) all.push(sql`e.time < ${before}`)
  return sql.join(all, sql` and `)
}

/** Takes the vectors of the entries that a condition is true of. */
export const forgetVectors = async (trx: Trx, which: RawBuilder<unknown>): Promise<void> => {
  const rows = sql`select group_number, number from search_entries where ${which}`
  await runUnread(trx, sql`delete from search_bits where (group_number, number) in (${rows})`)
  await runUnread(
    trx,
    sql`delete from search_vectors where number in (select number from search_entries where ${which})`,
  )
}
