/**
 * What the search index keeps in another form on the other database, and how it gets there: the words of entries are
 * hashes on both, so no text is needed, and vectors are put as they are.
 */
import { createSecretKey } from 'node:crypto'
import { sql } from 'kysely'
import type { Vault } from '../../vault/types.ts'
import type { Database } from '../types.ts'
import { createHasher, type HashedEntry } from './hash.ts'
import type { Language } from './languages.ts'
import { splitIntoBatches } from './store.ts'
import type { SearchTables } from './tables.ts'
import { createVectors } from './vectors.ts'
import { createPostgresWords } from './words-postgres.ts'
import { createSqliteWords } from './words-sqlite.ts'

type Dialect = Database['dialect']

/** Tables that cannot be copied from one kind of database to the other; none where both are the same. */
export const dialectTables = (from: Dialect, to: Dialect): ReadonlySet<string> =>
  new Set(from === to ? [] : [...sharedTables, ...(from === 'sqlite' ? sqliteTables : postgresTables)])

/** Entries have other numbers, and what refers to them. */
const sharedTables = ['search_groups', 'search_entries', 'search_models', 'search_vectors', 'search_bits']
const sqliteTables = ['search_words_config', 'search_words_data', 'search_words_docsize', 'search_words_idx']
const postgresTables = ['search_batches', 'search_postings', 'search_totals']

/**
 * Fills the index of `into` from `scratch`, a SQLite database with the tables of an index that was kept on `from`. Throws
 * where not all of it arrived.
 */
export const convertIndex = async (
  scratch: Database,
  from: Dialect,
  { database: into, vault }: { database: Database; vault: Vault },
): Promise<void> => {
  if (from === 'sqlite') await listTermsOfSqlite(scratch)
  else await listTermsOfPostgres(scratch)
  await putWords(scratch, into, vault)
  await putVectors(scratch, into)
  for (const table of ['search_entries', 'search_vectors'] as const) {
    const [before, after] = [await countRows(scratch, table), await countRows(into, table)]
    if (before !== after) throw new Error(`${table} has ${after} rows after the conversion, and had ${before}.`)
  }
}

/** Takes away what an earlier conversion put there, which did not end. */
export const clearIndex = async (into: Database): Promise<void> => {
  await into.write<SearchTables, void>(async (trx) => {
    if (into.dialect === 'sqlite') await sql`insert into search_words (search_words) values ('delete-all')`.execute(trx)
    else
      for (const table of ['search_postings', 'search_batches', 'search_totals'] as const)
        await trx.deleteFrom(table).execute()
    for (const table of ['search_bits', 'search_vectors', 'search_models', 'search_entries', 'search_groups'] as const)
      await trx.deleteFrom(table).execute()
  })
}

const entriesAtOnce = 200

/** FTS5 without content still tells which terms stand in which row. Words and kin never meet, so one list holds both. */
const listTermsOfSqlite = async (scratch: Database): Promise<void> => {
  const db = scratch.tables()
  await sql`create virtual table search_terms using fts5vocab(search_words, instance)`.execute(db)
  await sql`create table entry_terms as select doc, term, count(*) as times from search_terms
    where col in ('words', 'kin') group by doc, term`.execute(db)
  await sql`create index entry_terms_doc on entry_terms (doc)`.execute(db)
}

const listTermsOfPostgres = async (scratch: Database): Promise<void> => {
  const db = scratch.tables()
  await sql`create table entry_terms (doc integer not null, term text not null, times integer not null)`.execute(db)
  for (let last = 0; ; ) {
    const { rows } = await sql<{ at: number; term: string; batch: number; postings: string }>`
      select rowid as at, cast(term as text) as term, batch, postings from search_postings
      where rowid > ${last} order by rowid limit ${entriesAtOnce}`.execute(db)
    if (rows.length === 0) break
    last = rows.at(-1)?.at ?? last
    const terms = rows.flatMap(({ term, batch, postings }) => {
      const hash = BigInt.asUintN(64, BigInt(term)).toString(16).padStart(16, '0')
      return [...postings.matchAll(/\d+/g)].map(([posting]) => {
        const value = Number(posting)
        return [batch * 4096 + Math.floor(value / 2 ** 40), hash, value % 2 ** 16]
      })
    })
    await sql`insert into entry_terms (doc, term, times)
      select value ->> 0, value ->> 1, value ->> 2 from json_each(${JSON.stringify(terms)})`.execute(db)
  }
  await sql`create index entry_terms_doc on entry_terms (doc)`.execute(db)
}

const putWords = async (scratch: Database, into: Database, vault: Vault): Promise<void> => {
  const tables = into.tables<SearchTables>()
  const key = createSecretKey(Buffer.from(vault.blindIndex('search', 'words'), 'hex'))
  const store = into.dialect === 'sqlite' ? createSqliteWords(tables, createHasher(key)) : createPostgresWords(tables)
  const known = await tables.selectFrom('search_languages').select('language').orderBy('language').executeTakeFirst()
  const language = (known?.language ?? 'en') as Language
  const db = scratch.tables<SearchTables>()
  const groups = await db.selectFrom('search_groups').selectAll().orderBy('number').execute()
  for (const group of groups) {
    const entries = await db
      .selectFrom('search_entries')
      .selectAll()
      .where('group_number', '=', group.number)
      .orderBy('number')
      .execute()
    for (const some of splitIntoBatches(entries, entriesAtOnce)) {
      const { rows } = await sql<{ doc: number; term: string; times: number }>`
        select doc, term, times from entry_terms where doc in (${sql.join(some.map(({ number }) => number))})
        order by doc, term`.execute(db)
      const terms = Map.groupBy(rows, ({ doc }) => doc)
      const hashed = some.map(({ number, id, time, facets }): HashedEntry => {
        const words = (terms.get(number) ?? []).flatMap(({ term, times }) => Array<string>(times).fill(term)).join(' ')
        return { id, group: group.name, partition: group.shelf, time, facets, words, kin: '', language }
      })
      await into.write<SearchTables, void>((trx) => store.put(trx, hashed))
    }
  }
}

const putVectors = async (scratch: Database, into: Database): Promise<void> => {
  const vectors = createVectors(into)
  for (let last = -1; ; ) {
    const { rows } = await sql<{ number: number; id: string; model: string; vector: Uint8Array }>`
      select v.number, e.id, m.name as model, v.vector from search_vectors v
      join search_entries e on e.number = v.number
      join search_models m on m.number = v.model
      where v.number > ${last} order by v.number limit ${entriesAtOnce}`.execute(scratch.tables())
    if (rows.length === 0) return
    last = rows.at(-1)?.number ?? last
    for (const [model, some] of Map.groupBy(rows, (row) => row.model))
      await vectors.put(
        model,
        some.map(({ id, vector }) => ({ id, vector: new Float32Array(new Uint8Array(vector).buffer) })),
      )
  }
}

const countRows = async (database: Database, table: 'search_entries' | 'search_vectors'): Promise<number> => {
  const row = await database
    .tables<SearchTables>()
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
