/**
 * Vectors on PostgreSQL: compared by pgvector where the server has it. Elsewhere bits choose candidates in SQL, and the
 * few that are left are compared here.
 */
import { type Kysely, sql } from 'kysely'
import { DatabaseError } from '../errors.ts'
import type { SearchTables } from './tables.ts'
import type { VectorHit, VectorQuery } from './types.ts'
import type { VectorStore } from './vectors.ts'
import { bytesOf } from './vectors-sqlite.ts'

export const createPostgresVectors = (tables: Kysely<SearchTables>): VectorStore => {
  let asked: Promise<boolean> | null = null
  const hasExtension = (): Promise<boolean> => {
    asked ??= prepareExtension(tables).catch((error: unknown) => {
      asked = null
      throw error
    })
    return asked
  }
  // Begun at once, because the table cannot be changed while somebody writes to it. Who needs it hears of a failure.
  hasExtension().catch(() => undefined)
  return {
    ready: hasExtension,
    put: async (trx, model, vectors) => {
      const exact = await hasExtension()
      for (const { number, group, vector } of vectors) {
        await sql`insert into search_vectors (number, group_number, model, vector ${exact ? sql`, embedding` : sql``})
          values (${number}, ${group}, ${model}, ${Buffer.from(bytesOf(vector))}
            ${exact ? sql`, ${literalOf(vector)}::vector` : sql``})`.execute(trx)
        await sql`insert into search_bits (number, group_number, model, bits)
          values (${number}, ${group}, ${model}, ${signsOf(vector)}::bit varying)`.execute(trx)
      }
    },
    nearest: async (model, query, candidates) =>
      (await hasExtension()) ? exactly(tables, model, query) : byBits(tables, model, query, candidates),
  }
}

/** Tries to have pgvector, and brings its column up to date. False when the server does not offer it. */
const prepareExtension = async (tables: Kysely<SearchTables>): Promise<boolean> => {
  try {
    await sql`create extension if not exists vector`.execute(tables)
  } catch (error) {
    // Not installed, not allowed, or made by another process in this moment.
    if (!(error instanceof DatabaseError)) throw error
  }
  // Where it lies in a schema that is not looked through, the server does not offer it either.
  const { rows } = await sql`select 1 where to_regtype('vector') is not null`.execute(tables)
  if (rows.length === 0) return false
  await sql`alter table search_vectors add column if not exists embedding vector`.execute(tables)
  for (;;) {
    const older = await sql<{ number: number; vector: Uint8Array }>`
      select number, vector from search_vectors where embedding is null limit 200`.execute(tables)
    if (older.rows.length === 0) return true
    for (const { number, vector } of older.rows)
      await sql`update search_vectors set embedding = ${literalOf(floatsOf(vector))}::vector
        where number = ${number}`.execute(tables)
  }
}

const exactly = async (
  tables: Kysely<SearchTables>,
  model: number,
  { vector, partitions, groups, limit }: VectorQuery,
): Promise<readonly VectorHit[]> => {
  // `<=>` of a vector without length is not a number, and such numbers come last here as well.
  const { rows } = await sql<VectorHit>`
    select e.id, g.name as "group", coalesce(nullif(1 - n.distance, 'NaN'), 0) as similarity
    from (
      select v.number, v.embedding <=> ${literalOf(vector)}::vector as distance
      from search_groups g join search_vectors v on v.group_number = g.number
      where g.shelf = any(${partitions}) and v.model = ${model}
      ${groups ? sql`and g.name = any(${groups})` : sql``}
      order by 2, 1 limit ${limit}
    ) as n
    join search_entries e on e.number = n.number
    join search_groups g on g.number = e.group_number
    order by n.distance, n.number`.execute(tables)
  return rows
}

const byBits = async (
  tables: Kysely<SearchTables>,
  model: number,
  { vector, partitions, groups, limit }: VectorQuery,
  candidates: number,
): Promise<readonly VectorHit[]> => {
  const { rows } = await sql<{ id: string; group: string; vector: Uint8Array }>`
    select e.id, c.name as "group", v.vector
    from (
      select b.number, g.name, bit_count(b.bits # ${signsOf(vector)}::bit varying) as distance
      from search_groups g join search_bits b on b.group_number = g.number
      where g.shelf = any(${partitions}) and b.model = ${model}
      ${groups ? sql`and g.name = any(${groups})` : sql``}
      order by 3 limit ${candidates}
    ) as c
    join search_vectors v on v.number = c.number
    join search_entries e on e.number = c.number`.execute(tables)
  return rows
    .map((row) => ({ id: row.id, group: row.group, similarity: cosine(vector, floatsOf(row.vector)) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, limit)
}

const literalOf = (vector: Float32Array): string => `[${vector.join(',')}]`
const signsOf = (vector: Float32Array): string => Array.from(vector, (value) => (value > 0 ? '1' : '0')).join('')

/** A copy, because a row's bytes need not begin where floats may. */
const floatsOf = (bytes: Uint8Array): Float32Array => new Float32Array(new Uint8Array(bytes).buffer)

const cosine = (one: Float32Array, other: Float32Array): number => {
  let dot = 0
  let ones = 0
  let others = 0
  for (let at = 0; at < one.length; at++) {
    const a = one[at] ?? 0
    const b = other[at] ?? 0
    dot += a * b
    ones += a * a
    others += b * b
  }
  return ones === 0 || others === 0 ? 0 : dot / Math.sqrt(ones * others)
}
