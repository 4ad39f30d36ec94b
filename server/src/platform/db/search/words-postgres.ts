/**
 * The index of words on PostgreSQL: a row for each term of each batch of entries, with where it stands and how often, and
 * BM25 in SQL with the arithmetic of FTS5. See docs/decisions/0014-words-are-found-by-keyed-hashes.md.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { HashedEntry } from './hash.ts'
import {
  type HashedMatch,
  type HashedQuery,
  entryConditions,
  forgetVectors,
  groupNumbers,
  kinWeight,
  mostFew,
  noteLanguages,
  pairOf,
  presentEntries,
  splitIntoBatches,
  type Trx,
  type WordStore,
  wordWeight,
} from './store.ts'
import type { SearchTables } from './tables.ts'
import type { Matching, TextHit } from './types.ts'

/** Entries of a batch; a place takes 12 bits of a posting, so that it stays a safe integer. */
const batchSize = 4096
/** So many are counted before others have a turn. */
const entriesAtOnce = 20
const placeUnit = 2 ** 40
const lengthUnit = 2 ** 16
/** The columns of SQLite hold two words more: partition and group. They count for the length there, so they do here. */
const scopeWords = 2

export const createPostgresWords = (tables: Kysely<SearchTables>): WordStore => {
  const remove = async (trx: Trx, ids: readonly string[]): Promise<void> => {
    for await (const some of presentEntries(trx, ids)) {
      await forgetVectors(trx, sql`id in (${sql.join(some)})`)
      const rows = await trx.deleteFrom('search_entries').where('id', 'in', some).returning('number').execute()
      const places = Map.groupBy(rows, ({ number }) => Math.floor(number / batchSize))
      for (const [batch, gone] of places)
        await thin(
          trx,
          batch,
          gone.map(({ number }) => number % batchSize),
        )
    }
  }

  return {
    put: async (trx, entries) => {
      const latest = new Map(entries.map((entry) => [entry.id, entry]))
      await remove(trx, [...latest.keys()])
      const groups = await groupNumbers(trx, entries)
      const batches = Map.groupBy(latest.values(), ({ group, partition }) => pairOf(group, partition))
      for (const [pair, all] of batches) {
        const group = groups.get(pair)
        if (!group) throw new Error('A group has no number.')
        for (const some of splitIntoBatches(all, batchSize)) await putBatch(trx, group.number, some)
      }
      await noteLanguages(trx, entries)
    },
    find: (asked) => find(tables, asked),
    matching: (asked) => matching(tables, asked),
    remove,
    removeGroups: async (trx, numbers) => {
      for (const some of splitIntoBatches(numbers)) {
        await sql`insert into search_totals (entries, words)
          select -coalesce(sum(entries), 0), -coalesce(sum(words), 0)
          from search_batches where group_number in (${sql.join(some)})`.execute(trx)
        // Not by a foreign key: checking that for each of many thousand rows is half the cost of writing them.
        await sql`delete from search_postings where batch in (
          select number from search_batches where group_number in (${sql.join(some)}))`.execute(trx)
        await trx.deleteFrom('search_groups').where('number', 'in', some).execute()
      }
    },
  }
}

const putBatch = async (trx: Trx, group: number, entries: readonly HashedEntry[]): Promise<void> => {
  const postings = new Map<string, string[]>()
  let words = 0
  for (const [place, entry] of entries.entries()) {
    const hashes = [entry.words, entry.kin].flatMap((line) => (line === '' ? [] : line.split(' ')))
    const length = hashes.length + scopeWords
    words += length
    const times = new Map<string, number>()
    for (const hash of hashes) times.set(hash, (times.get(hash) ?? 0) + 1)
    for (const [hash, count] of times) {
      const posting = place * placeUnit + Math.min(length, 2 ** 24 - 1) * lengthUnit + Math.min(count, lengthUnit - 1)
      const known = postings.get(hash)
      if (known) known.push(String(posting))
      else postings.set(hash, [String(posting)])
    }
    if (place % entriesAtOnce === entriesAtOnce - 1) await new Promise(setImmediate)
  }
  const { rows } = await sql<{ number: number }>`
    insert into search_batches (group_number, entries, words) values (${group}, ${entries.length}, ${words})
    returning number`.execute(trx)
  const batch = rows[0]?.number ?? 0
  const columns = [
    entries.map((_, place) => batch * batchSize + place),
    entries.map(({ id }) => id),
    entries.map(({ time }) => time),
    entries.map(({ facets }) => facets),
  ]
  await sql`insert into search_entries (number, id, group_number, time, facets)
    select number, id, ${group}::bigint, time, facets
    from unnest(${columns[0]}::bigint[], ${columns[1]}::text[], ${columns[2]}::bigint[], ${columns[3]}::text[])
    as t (number, id, time, facets)`.execute(trx)
  // In the order of the index, so that its pages are written one after another.
  for (const some of splitIntoBatches(
    [...postings].sort(([a], [b]) => (a < b ? -1 : 1)),
    5000,
  )) {
    await sql`insert into search_postings (term, batch, entries, postings)
      select term, ${batch}::bigint, cardinality(places::bigint[]), places::bigint[]
      from unnest(${some.map(([hash]) => toInt(hash))}::bigint[], ${some.map(([, all]) => `{${all.join(',')}}`)}::text[])
      as t (term, places)`.execute(trx)
  }
  await sql`insert into search_totals (entries, words) values (${entries.length}, ${words})`.execute(trx)
}

/** 64 bits as PostgreSQL has them, with a sign. */
const toInt = (hash: string): string => BigInt.asIntN(64, BigInt(`0x${hash}`)).toString()

/** Takes places out of a batch; the batch itself goes with its last entry. */
const thin = async (trx: Trx, batch: number, places: readonly number[]): Promise<void> => {
  const gone = sql`${places}::bigint[]`
  // An entry without words has no posting, only the length of its scope.
  const { rows } = await sql<{ words: number }>`
    select coalesce(sum(length), 0)::bigint + ${scopeWords} * (${places.length} - count(*)) as words
    from (
      select distinct posting >> 40 as place, (posting >> 16) & 16777215 as length
      from search_postings cross join unnest(postings) as posting
      where batch = ${batch} and posting >> 40 = any(${gone})
    ) as known`.execute(trx)
  const words = rows[0]?.words ?? 0
  await sql`insert into search_totals (entries, words) values (${-places.length}, ${-words})`.execute(trx)
  await sql`update search_batches set entries = entries - ${places.length}, words = words - ${words}
    where number = ${batch}`.execute(trx)
  await sql`delete from search_batches where number = ${batch} and entries <= 0`.execute(trx)
  await sql`update search_postings as p set postings = k.kept, entries = cardinality(k.kept)
    from (
      select term, array(select x from unnest(postings) as x where x >> 40 <> all(${gone})) as kept
      from search_postings where batch = ${batch}
    ) as k
    where p.batch = ${batch} and p.term = k.term and cardinality(k.kept) < p.entries`.execute(trx)
  await sql`delete from search_postings where batch = ${batch} and entries = 0`.execute(trx)
}

const find = async (tables: Kysely<SearchTables>, asked: HashedQuery): Promise<TextHit[]> => {
  const terms = termsOf(asked.clauses)
  const filtered = asked.facets.length > 0 || asked.after !== undefined || asked.before !== undefined
  // Every word: a bit for each clause, and one for each part of a joined word.
  const every = asked.everyWord ? sql`having bit_or(a.mask) = ${fullMask(terms)}::bigint` : sql``
  const { rows } = await sql<{ id: string; group: string; score: number; whole: number }>`
    with asked as (
      select * from unnest(${terms.map(({ hash }) => toInt(hash))}::bigint[], ${terms.map(({ weight }) => weight)}::float8[],
        ${terms.map(({ mask }) => mask.toString())}::bigint[]) as t (term, weight, mask)
    ), totals as materialized (
      select sum(entries)::float8 as entries, sum(words)::float8 / greatest(sum(entries), 1) as length from search_totals
    ), frequencies as materialized (
      select a.term, a.weight, a.mask, sum(p.entries)::float8 as entries
      from asked a join search_postings p on p.term = a.term group by 1, 2, 3
    ), weighted as materialized (
      select f.term, f.weight, f.mask,
        case when f.entries * 2 < t.entries then ln((t.entries - f.entries + 0.5) / (f.entries + 0.5)) else 1e-6 end as idf
      from frequencies f cross join totals t
    ), scored as (
      select p.batch * ${batchSize} + (x >> 40) as number,
        sum(a.idf * (a.weight * (x & 65535) * 2.2)
          / (a.weight * (x & 65535) + 1.2 * (0.25 + 0.75 * ((x >> 16) & 16777215) / t.length))) as score
      from weighted a
      cross join totals t
      join search_postings p on p.term = a.term
      join search_batches b on b.number = p.batch
      join search_groups g on g.number = b.group_number
      cross join unnest(p.postings) as x
      ${filtered ? sql`join search_entries e on e.number = p.batch * ${batchSize} + (x >> 40)` : sql``}
      where ${entryConditions(asked)}
      group by 1 ${every}
      order by 2 desc, 1 limit ${asked.limit}
    )
    select e.id, g.name as "group", s.score, exists (
      select from search_postings w cross join unnest(w.postings) as x
      where w.term = any(${asked.clauses.map(({ whole }) => toInt(whole))}::bigint[])
      and w.batch = s.number / ${batchSize} and x >> 40 = s.number % ${batchSize}
    ) as whole
    from scored s
    join search_entries e on e.number = s.number
    join search_groups g on g.number = e.group_number
    order by s.score desc, s.number`.execute(tables)
  return rows.map(({ id, group, score, whole }) => ({ id, group, score, whole: whole !== 0 }))
}

const matching = async (tables: Kysely<SearchTables>, { clauses, partitions }: HashedMatch): Promise<Matching> => {
  const terms = termsOf(clauses)
  const asked = sql`unnest(
    ${terms.map(({ hash }) => toInt(hash))}::bigint[], ${terms.map(({ mask }) => mask.toString())}::bigint[]
  ) as a (term, mask)`
  const all = sql<string>`select g.name
    from ${asked}
    join search_postings p on p.term = a.term
    join search_batches b on b.number = p.batch
    join search_groups g on g.number = b.group_number
    cross join unnest(p.postings) as x
    where g.shelf in (${sql.join(partitions)})
    group by g.name, p.batch, x >> 40
    having bit_or(a.mask) = ${fullMask(terms)}::bigint`
  const groupOf = (batch: RawBuilder<unknown>) => sql`select g.name
    from search_batches b join search_groups g on g.number = b.group_number
    where b.number = ${batch} and g.shelf in (${sql.join(partitions)})`
  const hitsIn = (batch: RawBuilder<unknown>) => sql`select a.mask, x >> 40 as place
    from ${asked}
    join search_postings p on p.term = a.term and p.batch = ${batch}
    cross join unnest(p.postings) as x`
  const whole = sql`having bit_or(hit.mask) = ${fullMask(terms)}::bigint`
  // The rarest clause says at most how many there are; no more is counted than matters.
  const termsIn = clauses.map((clause) => sql`${termsOf([clause]).map(({ hash }) => toInt(hash))}::bigint[]`)
  const counts = termsIn.map(
    (some, at) => sql`(${at}::int, (select count(*) from (
      select from search_postings where term = any(${some}) limit ${mostFew + 1}) as counted))`,
  )
  const { rows } = await sql<{ clause: number; count: number }>`select clause, count
    from (values ${sql.join(counts)}) as counts (clause, count) order by count limit 1`.execute(tables)
  const rarest = rows[0]
  // Its places are few, and all else is looked up from there, one by one. `offset 0` keeps the planner from beginning with
  // all groups of a partition, which it takes for few until they are counted anew.
  const findFew = (some: RawBuilder<unknown>) => sql<{ name: string }>`select g.name
    from (select distinct batch from search_postings where term = any(${some}) offset 0) as c
    cross join lateral (${groupOf(sql`c.batch`)} offset 0) as g
    cross join lateral (${hitsIn(sql`c.batch`)} offset 0) as hit
    group by g.name, c.batch, hit.place ${whole}`
  const some = rarest && rarest.count <= mostFew ? termsIn[rarest.clause] : undefined
  const found = some ? (await findFew(some).execute(tables)).rows : null
  return {
    few: found === null || found.length > mostFew ? null : found.map(({ name }) => name),
    all,
    // From the groups to their words, one by one as well.
    among: (names) => sql`select g.name
      from unnest(${[...names]}::text[]) as wanted (name)
      cross join lateral (select name, number, shelf from search_groups where name = wanted.name offset 0) as g
      cross join lateral (select number as batch from search_batches where group_number = g.number offset 0) as b
      cross join lateral (${hitsIn(sql`b.batch`)} offset 0) as hit
      where g.shelf in (${sql.join(partitions)})
      group by g.name, b.batch, hit.place ${whole}`,
  }
}

interface AskedTerm {
  readonly hash: string
  readonly weight: number
  readonly mask: bigint
}

/** All terms once each. The bits of a clause are met by the word as one and its kin, or by each of its parts. */
const termsOf = (clauses: HashedQuery['clauses']): AskedTerm[] => {
  const terms = new Map<string, AskedTerm>()
  const add = (hash: string, weight: number, mask: bigint): void =>
    void terms.set(hash, { hash, weight, mask: mask | (terms.get(hash)?.mask ?? 0n) })
  let bit = 1n
  for (const { whole, kin, parts } of clauses) {
    let all = parts.length === 0 ? bit : 0n
    if (parts.length === 0) bit = next(bit)
    for (const part of parts) {
      add(part.word, wordWeight, bit)
      for (const each of part.kin) add(each, kinWeight, bit)
      all |= bit
      bit = next(bit)
    }
    add(whole, wordWeight, all)
    for (const each of kin) add(each, kinWeight, all)
  }
  return [...terms.values()]
}

/** More bits than a whole number has are all one: then any of those words will do. */
const next = (bit: bigint): bigint => (bit >= 2n ** 61n ? bit : bit * 2n)

const fullMask = (terms: readonly AskedTerm[]): string => terms.reduce((mask, term) => mask | term.mask, 0n).toString()
