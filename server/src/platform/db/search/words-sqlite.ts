/** The index of words on SQLite: a contentless FTS5 table of hashes, scored by its own bm25(). */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { createFrequencies, type Frequencies } from './frequencies.ts'
import type { Hash } from './hash.ts'
import { dropCommonTerms, expressHits, pickTrialTerms } from './pruning.ts'
import {
  type HashedClause,
  type HashedQuery,
  entryConditions,
  forgetVectors,
  groupNumbers,
  kinWeight,
  mostFew,
  noMatches,
  noteLanguages,
  pairOf,
  presentEntries,
  splitIntoBatches,
  type Trx,
  type WordStore,
  wordWeight,
} from './store.ts'
import { runUnread } from '../unread.ts'
import type { SearchTables } from './tables.ts'

/**
 * What all of them give. Where one fails, the others end first: what goes on after its transaction was undone would be
 * written by itself.
 */
const allAtOnce = async <T extends readonly unknown[]>(
  works: {
    readonly [K in keyof T]: Promise<T[K]>
  },
): Promise<T> => {
  await Promise.allSettled(works)
  return (await Promise.all(works)) as unknown as T
}

const readLastNumber = async (trx: Trx): Promise<number> => {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(number), 0) as last from search_entries`.execute(trx)
  return rows[0]?.last ?? 0
}

export const createSqliteWords = (tables: Kysely<SearchTables>, hash: Hash): WordStore => {
  const frequencies = createFrequencies(tables)
  /** Rows of the virtual table first: nothing else knows their numbers. */
  const forget = async (trx: Trx, which: RawBuilder<unknown>): Promise<void> => {
    await forgetVectors(trx, which)
    await runUnread(
      trx,
      sql`delete from search_words where rowid in (select number from search_entries where ${which})`,
    )
    await runUnread(trx, sql`delete from search_entries where ${which}`)
  }
  const remove = async (trx: Trx, ids: readonly string[]): Promise<void> => {
    for await (const some of presentEntries(trx, ids)) await forget(trx, sql`id in (${sql.join(some)})`)
  }

  /** Which hashes of the scope an entry in the partitions can have; none when most entries can. And how many can, about. */
  const scopeOf = async ({ partitions, groups }: HashedQuery): Promise<Scope | null> => {
    const { rows } = await sql<{ home: string; groups: number; of: number }>`
      select home, count(*) as groups, (select count(*) from search_groups) as "of"
      from search_groups where shelf in (${sql.join(partitions)}) group by home`.execute(tables)
    const [first] = rows
    if (!first) return null
    const share = rows.reduce((sum, row) => sum + row.groups, 0) / first.of
    if (groups && groups.length <= mostScopes) {
      const named = tables.selectFrom('search_groups').select('number').where('name', 'in', groups)
      const numbers = await named.where('shelf', 'in', partitions).execute()
      if (numbers.length === 0) return null
      const match = anyOf(numbers.map(({ number }) => hash(`group:${number}`)))
      return { match: `(${match}) AND `, share: numbers.length / first.of }
    }
    if (rows.length > mostScopes || share > 0.5) return { match: '', share: 1 }
    return { match: `(${anyOf(rows.map(({ home }) => hash(`shelf:${home}`)))}) AND `, share }
  }

  return {
    put: async (trx, entries) => {
      const ids = entries.map(({ id }) => id)
      // Asked together, because everybody who wants to write waits for the answers.
      const [present, groups, last] = await allAtOnce([
        Array.fromAsync(presentEntries(trx, ids)),
        groupNumbers(trx, entries),
        readLastNumber(trx),
      ])
      for (const some of present) await forget(trx, sql`id in (${sql.join(some)})`)
      let number = last
      const places = new Map(entries.map((entry) => [entry.id, entry]))
      const rowsOf = [...places.values()].map(({ id, group, partition, time, facets, words, kin }) => {
        const place = groups.get(pairOf(group, partition))
        if (!place) throw new Error('A group has no number.')
        number += 1
        const scope = `${hash(`shelf:${place.home}`)} ${hash(`group:${place.number}`)}`
        return { entry: [number, id, place.number, time, facets], words: [number, words, kin, scope] }
      })
      // One statement for many rows, in pieces that no thread is long busy with.
      for (const some of splitIntoBatches(rowsOf, 200)) {
        const entryRows = sql`insert into search_entries (number, id, group_number, time, facets)
          select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
          from json_each(${JSON.stringify(some.map((row) => row.entry))})`
        const wordRows = sql`insert into search_words (rowid, words, kin, scope)
          select value ->> 0, value ->> 1, value ->> 2, value ->> 3
          from json_each(${JSON.stringify(some.map((row) => row.words))})`
        for (const rows of [entryRows, wordRows]) await runUnread(trx, rows)
      }
      await noteLanguages(trx, entries)
    },

    find: async (asked) => {
      const scope = await scopeOf(asked)
      if (!scope) return []
      const entries = await frequencies.entries()
      const search = (words: string, hits: string | null = null) =>
        run(tables, asked, `${scope.match}(${words})`, hits && `${scope.match}(${hits})`)
      const rows = asked.everyWord
        ? await search(everyWord(asked.clauses))
        : await best(frequencies, entries, asked.clauses.map(termsOf), scope.share, asked.limit, search)
      const wholes = asked.clauses.map((clause) => clause.whole)
      const whole = await wholeOf(tables, wholes, rows, frequencies.atMost(wholes, entries))
      return rows.map(({ id, group, score, number }) => ({ id, group, score, whole: whole.has(number) }))
    },

    matching: async ({ clauses, partitions }) => {
      const homes = await homesOf(tables, partitions)
      if (homes.length === 0) return noMatches
      const scope = homes.length > mostScopes ? '' : `(${anyOf(homes.map((home) => hash(`shelf:${home}`)))}) AND `
      const match = `${scope}(${everyWord(clauses)})`
      const all = sql<string>`select g.name from search_words f
        cross join search_entries e on e.number = f.rowid
        cross join search_groups g on g.number = e.group_number
        where f.search_words match ${match} and g.shelf in (${sql.join(partitions)})`
      const { rows } = await sql<{ name: string }>`${all} limit ${mostFew + 1}`.execute(tables)
      return {
        few: rows.length > mostFew ? null : rows.map(({ name }) => name),
        all,
        // What was put earlier is skipped by the index of words itself.
        among: (names) => sql`${all} and f.rowid >= (
          select min(e.number) from search_groups g join search_entries e on e.group_number = g.number
          where g.name in (${sql.join([...names])}))`,
      }
    },

    remove,
    removeGroups: async (trx, numbers) => {
      for (const some of splitIntoBatches(numbers)) {
        await forget(trx, sql`group_number in (${sql.join(some)})`)
        await trx.deleteFrom('search_groups').where('number', 'in', some).execute()
      }
    },
  }
}

/** More homes or groups than this are not worth naming to the index. */
const mostScopes = 32

interface Scope {
  readonly match: string
  readonly share: number
}

interface Row {
  readonly id: string
  readonly group: string
  readonly score: number
  readonly number: number
}

/** Where what is in the partitions was first put: by leaps, as counting many groups would take longer than finding some. */
const homesOf = async (tables: Kysely<SearchTables>, partitions: readonly string[]): Promise<string[]> => {
  const homes = new Set<string>()
  for (const partition of partitions) {
    const { rows } = await sql<{ home: string }>`
      with recursive homes (home) as (
        select min(home) from search_groups where shelf = ${partition}
        union all
        select (select min(home) from search_groups where shelf = ${partition} and home > homes.home)
        from homes where homes.home is not null
      )
      select home from homes where home is not null`.execute(tables)
    for (const { home } of rows) homes.add(home)
  }
  return [...homes]
}

/** Best first; `hits` says which of those that match can be among them, when that is known: only they get a score. */
const run = async (
  tables: Kysely<SearchTables>,
  asked: HashedQuery,
  match: string,
  hits: string | null,
): Promise<Row[]> => {
  const weights = `${wordWeight.toFixed(2)}, ${kinWeight.toFixed(2)}, 0.0`
  // Sorted by the virtual table itself where all get one, so that only as many entries are looked at as are needed.
  const rank = hits === null ? sql`f.rank` : sql`bm25(search_words, ${sql.raw(weights)})`
  const which =
    hits === null
      ? sql`f.rank match ${`bm25(${weights})`}`
      : sql`+f.rowid in (select rowid from search_words where search_words match ${hits})`
  const { rows } = await sql<Row>`
    select e.id, g.name as "group", -${rank} as score, e.number
    from search_words f
    cross join search_entries e on e.number = f.rowid
    cross join search_groups g on g.number = e.group_number
    where f.search_words match ${match} and ${which} and ${entryConditions(asked)}
    order by ${hits === null ? sql`f.rank` : sql`score desc`} limit ${asked.limit}`.execute(tables)
  return rows
}

/** The best of those that have any of the terms, without scoring each of those that have only frequent ones. */
const best = async (
  frequencies: Frequencies,
  entries: number,
  words: readonly (readonly string[])[],
  share: number,
  limit: number,
  search: (words: string, hits?: string | null) => Promise<Row[]>,
): Promise<Row[]> => {
  const hashes = [...new Set(words.flat())]
  if (entries * share < smallIndex) return search(anyOf(hashes))
  const terms = dropCommonTerms(await frequencies.of(hashes, entries), entries)
  const rare = pickTrialTerms(terms, share)
  if (!rare) return search(anyOf(terms.map(({ hash }) => hash)))
  const score = (await search(anyOf(rare.map(({ hash }) => hash))))[limit - 1]?.score ?? 0
  const termsByHash = new Map(terms.map((term) => [term.hash, term]))
  const known = words.map((some) => some.flatMap((hash) => termsByHash.get(hash) ?? []))
  return search(anyOf(terms.map(({ hash }) => hash)), expressHits(known, entries, score))
}

/** All entries of a smaller one are scored faster than a plan is made. */
const smallIndex = 10_000

/** Which of the hits have one of the words as it stands. */
const wholeOf = async (
  tables: Kysely<SearchTables>,
  words: readonly string[],
  hits: readonly Row[],
  atMost: number,
): Promise<ReadonlySet<number>> => {
  if (hits.length === 0) return new Set()
  // Going to a hit costs as much for each word as looking at four hundred entries in passing; the plus makes FTS5 do that.
  const number = atMost < hits.length * words.length * 400 ? sql`+rowid` : sql`rowid`
  const { rows } = await sql<{ number: number }>`
    select rowid as number from search_words
    where search_words match ${anyOf(words)} and ${number} in (${sql.join(hits.map((hit) => hit.number))})`.execute(
    tables,
  )
  return new Set(rows.map((row) => row.number))
}

const anyOf = (hashes: Iterable<string>): string => [...new Set(hashes)].map((hash) => `"${hash}"`).join(' OR ')

/** Hashes of different purposes never meet, so columns need not be named. */
const termsOf = ({ whole, kin, parts }: HashedClause): string[] => [
  whole,
  ...kin,
  ...parts.flatMap((part) => [part.word, ...part.kin]),
]

const everyWord = (clauses: HashedQuery['clauses']): string =>
  clauses
    .map(({ whole, kin, parts }) => {
      const all = parts.map((part) => `(${anyOf([part.word, ...part.kin])})`).join(' AND ')
      return `(${anyOf([whole, ...kin])}${all === '' ? '' : ` OR (${all})`})`
    })
    .join(' AND ')
