/** How many entries have a term, remembered for as long as the index stays about as large. */
import { type Kysely, sql } from 'kysely'
import { createCache } from '../../cache/cache.ts'
import type { Frequency } from './pruning.ts'
import type { SearchTables } from './tables.ts'

export interface Frequencies {
  /** How many entries FTS5 counts: also those that were removed since. */
  entries(): Promise<number>
  of(hashes: readonly string[], entries: number): Promise<Frequency[]>
  /** How many entries have any of them, at most, as far as that was counted before. */
  atMost(hashes: readonly string[], entries: number): number
}

const mostKept = 20_000
/** Counted again when the index grew or shrank by so much. */
const change = 0.05

export const createFrequencies = (tables: Kysely<SearchTables>): Frequencies => {
  const known = createCache<{ entries: number; of: number }>({ max: mostKept })
  return {
    entries: async () => {
      // The first number of the totals: seven bits a byte, the highest first.
      const { rows } = await sql<{ block: Uint8Array }>`select block from search_words_data where id = 1`.execute(
        tables,
      )
      let entries = 0
      for (const byte of rows[0]?.block ?? []) {
        entries = entries * 128 + (byte & 127)
        if (byte < 128) break
      }
      return entries
    },
    of: async (hashes, entries) => {
      const isFresh = (hash: string): boolean =>
        Math.abs((known.get(hash)?.of ?? Number.POSITIVE_INFINITY) - entries) <= change * entries
      const missing = hashes.filter((hash) => !isFresh(hash))
      if (missing.length > 0) {
        const counts = missing.map(
          (hash) => sql`(select count(*) from search_words where search_words match ${`"${hash}"`})`,
        )
        const { rows } = await sql<Record<string, number>>`
          select ${sql.join(counts.map((count, at) => sql`${count} as ${sql.ref(`n${at}`)}`))}`.execute(tables)
        missing.forEach((hash, at) => known.set(hash, { entries: rows[0]?.[`n${at}`] ?? 0, of: entries }))
      }
      return hashes.map((hash) => ({ hash, entries: known.get(hash)?.entries ?? 0 }))
    },
    atMost: (hashes, entries) => {
      const counts = hashes.map((hash) => known.get(hash)?.entries ?? entries)
      return Math.min(
        entries,
        counts.reduce((sum, count) => sum + count, 0),
      )
    },
  }
}
