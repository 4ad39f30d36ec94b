/**
 * The index of vectors. Each is kept whole and as one bit per number (its sign): bits choose the candidates among
 * everything in the partitions, whole vectors put those in order. Where there are few, all are candidates.
 */
import { sql } from 'kysely'
import { type AnyTransaction, type Database, inTables } from '../types.ts'
import { forgetVectors, splitIntoBatches, type Trx } from './store.ts'
import type { SearchTables } from './tables.ts'
import type { VectorEntry, VectorHit, VectorIndex, VectorQuery } from './types.ts'
import { createPostgresVectors } from './vectors-postgres.ts'
import { createSqliteVectors } from './vectors-sqlite.ts'

/** A vector with its place. */
export interface PlacedVector {
  readonly number: number
  readonly group: number
  readonly vector: Float32Array
}

export interface VectorStore {
  /** Before anything is written within a transaction. */
  ready(): Promise<unknown>
  put(trx: Trx, model: number, vectors: readonly PlacedVector[]): Promise<void>
  /** `candidates`: so many are compared exactly. */
  nearest(model: number, query: VectorQuery, candidates: number): Promise<readonly VectorHit[]>
}

/** At least so many, and so many for each hit, are compared exactly. */
const fewCandidates = 300
const candidatesPerHit = 12

export const createVectors = (database: Database): VectorIndex => {
  const tables = database.tables<SearchTables>()
  const store = database.dialect === 'sqlite' ? createSqliteVectors(tables) : createPostgresVectors(tables)
  const within = (trx: AnyTransaction | undefined, work: (open: Trx) => Promise<void>): Promise<void> =>
    trx ? work(inTables<SearchTables>(trx)) : database.write<SearchTables, void>(work)
  const of = (model: string) => tables.selectFrom('search_models').select('number').where('name', '=', model)

  return {
    put: async (model, entries, trx) => {
      await store.ready()
      await within(trx, async (open) => {
        for (const [size, some] of Map.groupBy(entries, ({ vector }) => vector.length)) {
          const number = await modelNumber(open, model, size)
          for (const few of splitIntoBatches(some, 100)) {
            const placed = await place(open, few)
            if (placed.length === 0) continue
            await forgetVectors(open, sql`number in (${sql.join(placed.map((vector) => vector.number))})`)
            await store.put(open, number, placed)
          }
        }
      })
    },
    nearest: async (query) => {
      const { partitions, groups, limit, model, vector } = query
      if (partitions.length === 0 || groups?.length === 0 || limit < 1) return []
      const known = await of(model).where('size', '=', vector.length).executeTakeFirst()
      if (!known) return []
      return await store.nearest(known.number, query, Math.max(fewCandidates, candidatesPerHit * limit))
    },
    having: async (model, ids) => {
      const found = new Set<string>()
      for (const some of splitIntoBatches(ids)) {
        const rows = await tables
          .selectFrom('search_entries as e')
          .innerJoin('search_vectors as v', 'v.number', 'e.number')
          .select('e.id')
          .where('v.model', 'in', of(model))
          .where('e.id', 'in', some)
          .execute()
        for (const { id } of rows) found.add(id)
      }
      return found
    },
    count: async (model, groups) => {
      const counts = new Map<string, number>()
      for (const some of splitIntoBatches(groups)) {
        const rows = await tables
          .selectFrom('search_groups as g')
          .innerJoin('search_bits as b', 'b.group_number', 'g.number')
          .select(({ fn }) => ['g.name', fn.countAll<number>().as('count')])
          .where('b.model', 'in', of(model))
          .where('g.name', 'in', some)
          .groupBy('g.name')
          .execute()
        for (const { name, count } of rows) counts.set(name, count)
      }
      return counts
    },
    removeOthers: (model, groups, trx) =>
      within(trx, async (open) => {
        for (const some of splitIntoBatches(groups)) {
          const numbers = open.selectFrom('search_groups').select('number').where('name', 'in', some)
          for (const table of ['search_vectors', 'search_bits'] as const) {
            let others = open.deleteFrom(table).where('group_number', 'in', numbers)
            if (model !== null) others = others.where('model', 'not in', of(model))
            await others.execute()
          }
        }
      }),
  }
}

/** Vectors of one model have one length; those of another length are as if of another model. */
const modelNumber = async (trx: Trx, name: string, size: number): Promise<number> => {
  await sql`insert into search_models (name, size) values (${name}, ${size}) on conflict do nothing`.execute(trx)
  const model = trx.selectFrom('search_models').select('number').where('name', '=', name).where('size', '=', size)
  return (await model.executeTakeFirstOrThrow()).number
}

/** Entries that are gone meanwhile are left out. */
const place = async (trx: Trx, entries: readonly VectorEntry[]): Promise<PlacedVector[]> => {
  const vectors = new Map(entries.map(({ id, vector }) => [id, vector]))
  const rows = await trx
    .selectFrom('search_entries')
    .select(['id', 'number', 'group_number'])
    .where('id', 'in', [...vectors.keys()])
    .execute()
  return rows.flatMap(({ id, number, group_number: group }) => {
    const vector = vectors.get(id)
    return vector ? [{ number, group, vector }] : []
  })
}
