/** The index of vectors as everybody sees it. */
import { type Kysely, sql } from 'kysely'
import { type AnyTransaction, type Database, over } from '../types.ts'
import { pieces, type Trx } from './store.ts'
import type { SearchTables } from './tables.ts'
import type { VectorIndex, VectorQuery } from './types.ts'

export const createVectors = (database: Database): VectorIndex => {
  const tables = database.tables<SearchTables>()
  const within = (trx: AnyTransaction | undefined, work: (open: Trx) => Promise<void>): Promise<void> =>
    trx ? work(over<SearchTables>(trx)) : database.write<SearchTables, void>(work)

  return {
    put: (model, entries, trx) =>
      within(trx, async (open) => {
        for (const some of pieces(entries, 100)) {
          const ids = some.map(({ id }) => id)
          const rows = await open
            .selectFrom('search_entries')
            .select(['id', 'number', 'group_number'])
            .where('id', 'in', ids)
            .execute()
          const places = new Map(rows.map((row) => [row.id, row]))
          const values = some.flatMap(({ id, vector }) => {
            const place = places.get(id)
            return place
              ? [{ number: place.number, group_number: place.group_number, model, vector: toBytes(vector) }]
              : []
          })
          if (values.length === 0) continue
          await open
            .insertInto('search_vectors')
            .values(values)
            .onConflict((conflict) =>
              conflict
                .column('number')
                .doUpdateSet((eb) => ({ model: eb.ref('excluded.model'), vector: eb.ref('excluded.vector') })),
            )
            .execute()
        }
      }),
    nearest: async (query) => {
      if (query.shelves.length === 0 || query.groups?.length === 0 || query.limit < 1) return []
      return await nearest(tables, query)
    },
    having: async (model, ids) => {
      const found = new Set<string>()
      for (const some of pieces(ids)) {
        const rows = await tables
          .selectFrom('search_vectors as v')
          .innerJoin('search_entries as e', 'e.number', 'v.number')
          .select('e.id')
          .where('v.model', '=', model)
          .where('e.id', 'in', some)
          .execute()
        for (const { id } of rows) found.add(id)
      }
      return found
    },
    count: async (model, groups) => {
      const counts = new Map<string, number>()
      for (const some of pieces(groups)) {
        const rows = await tables
          .selectFrom('search_vectors as v')
          .innerJoin('search_groups as g', 'g.number', 'v.group_number')
          .select(({ fn }) => ['g.name', fn.countAll<number>().as('count')])
          .where('v.model', '=', model)
          .where('g.name', 'in', some)
          .groupBy('g.name')
          .execute()
        for (const { name, count } of rows) counts.set(name, count)
      }
      return counts
    },
    removeOthers: (model, groups, trx) =>
      within(trx, async (open) => {
        for (const some of pieces(groups)) {
          const numbers = open.selectFrom('search_groups').select('number').where('name', 'in', some)
          let others = open.deleteFrom('search_vectors').where('group_number', 'in', numbers)
          if (model !== null) others = others.where('model', '!=', model)
          await others.execute()
        }
      }),
  }
}

const toBytes = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)

const nearest = async (tables: Kysely<SearchTables>, { model, vector, shelves, groups, limit }: VectorQuery) => {
  const { rows } = await sql<{ id: string; group: string; vector: Uint8Array }>`
    select e.id, g.name as "group", v.vector
    from search_groups g join search_vectors v on v.group_number = g.number join search_entries e on e.number = v.number
    where g.shelf in (${sql.join(shelves)}) and v.model = ${model}
    ${groups ? sql`and g.name in (${sql.join(groups)})` : sql``}`.execute(tables)
  return rows
    .flatMap((row) => {
      const similarity = cosine(vector, row.vector)
      return similarity === null ? [] : [{ id: row.id, group: row.group, similarity }]
    })
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, limit)
}

const cosine = (asked: Float32Array, bytes: Uint8Array): number | null => {
  if (bytes.byteLength !== asked.byteLength) return null
  const view = new Float32Array(new Uint8Array(bytes).buffer)
  let dot = 0
  let a = 0
  let b = 0
  for (let i = 0; i < asked.length; i++) {
    const x = asked[i] ?? 0
    const y = view[i] ?? 0
    dot += x * y
    a += x * x
    b += y * y
  }
  return a === 0 || b === 0 ? 0 : dot / Math.sqrt(a * b)
}
