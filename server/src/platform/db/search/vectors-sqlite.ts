/** Vectors on SQLite, compared by sqlite-vec within the query; the database threads load it when first needed. */
import { type Kysely, sql } from 'kysely'
import type { SearchTables } from './tables.ts'
import type { VectorHit } from './types.ts'
import type { VectorStore } from './vectors.ts'

export const createSqliteVectors = (tables: Kysely<SearchTables>): VectorStore => ({
  ready: async () => undefined,
  put: async (trx, model, vectors) => {
    const wholes = vectors.map(({ number, group, vector }) => ({
      number,
      group_number: group,
      model,
      vector: bytesOf(vector),
    }))
    const bits = vectors.map(({ number, group, vector }) => ({
      number,
      group_number: group,
      model,
      bits: signsOf(vector),
    }))
    await trx.insertInto('search_vectors').values(wholes).execute()
    await trx.insertInto('search_bits').values(bits).execute()
  },
  nearest: async (model, { vector, partitions, groups, limit }, candidates) => {
    const { rows } = await sql<VectorHit>`
      with candidates as materialized (
        select b.number, g.name, vec_distance_hamming(vec_bit(b.bits), vec_bit(${signsOf(vector)})) as distance
        from search_groups g join search_bits b on b.group_number = g.number
        where g.shelf in (${sql.join(partitions)}) and b.model = ${model}
        ${groups ? sql`and g.name in (${sql.join(groups)})` : sql``}
        order by distance limit ${candidates}
      )
      select e.id, c.name as "group",
        coalesce(1 - vec_distance_cosine(v.vector, ${bytesOf(vector)}), 0) as similarity
      from candidates c
      join search_vectors v on v.number = c.number
      join search_entries e on e.number = c.number
      order by similarity desc, c.number limit ${limit}`.execute(tables)
    return rows
  },
})

export const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)

const signsOf = (vector: Float32Array): Uint8Array => {
  const bits = new Uint8Array(Math.ceil(vector.length / 8))
  vector.forEach((value, at) => {
    if (value > 0) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
  })
  return bits
}
