/** Opens every sealed value of a database, and looks for words of some of them in the search index. */
import type { KeyObject } from 'node:crypto'
import type { Database } from '../db/index.ts'
import { createSearchIndexes } from '../db/search/index.ts'
import type { SearchTables } from '../db/search/tables.ts'
import { clausesOf } from '../db/search/terms.ts'
import { systemClock } from '../system-clock.ts'
import { VaultFailure } from '../vault/failure.ts'
import { openSealed } from '../vault/seal.ts'
import { placeOf, type SealedColumn } from '../vault/sealed-columns.ts'
import { readSealedRows, type SealedRow } from '../vault/sealed-rows.ts'
import { openVault } from '../vault/vault.ts'
import { readDataKeys } from '../vault/wrapped-keys.ts'
import { BackupFailure } from './failure.ts'

export interface OpenedValues {
  readonly values: number
  /** Entries of the search index that were looked for by their words, and found. */
  readonly searches: number
}

interface OpenOptions {
  readonly instanceKey: Buffer
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((values: number) => void) | undefined
}

/** Throws BackupFailure `different`, with the column and how many of its values do not open. */
export const openAllValues = async (
  database: Database,
  columns: readonly SealedColumn[],
  { instanceKey, signal, onProgress }: OpenOptions,
): Promise<OpenedValues> => {
  const keys = await readDataKeys(database, instanceKey)
  const samples: Sample[] = []
  let values = 0
  for (const column of await presentOf(database, columns)) {
    let broken = 0
    let sampled = 0
    for await (const rows of readSealedRows(database, column)) {
      signal?.throwIfAborted()
      let ofPage = 0
      for (const row of rows) {
        const own = keys.get(row.owner ?? '')
        // The key of an account that is being removed goes before its rows.
        if (own === undefined) continue
        values += 1
        const plain = openOrNothing(own, column, row)
        if (plain === null) {
          broken += 1
        } else if (row.entry !== null && ofPage < samplesOfPage && sampled < samplesOfColumn) {
          ofPage += 1
          sampled += 1
          samples.push({ entry: row.entry, query: wordsOf(plain, column.words?.member) })
        }
      }
      onProgress?.(values)
    }
    if (broken > 0)
      throw new BackupFailure(
        'different',
        `${broken} ${broken === 1 ? 'value' : 'values'} of ${placeOf(column)} cannot be opened.`,
      )
  }
  return { values, searches: await search(database, samples, instanceKey) }
}

interface Sample {
  readonly entry: string
  readonly query: string
}

const samplesOfPage = 4
const samplesOfColumn = 40

/** A backup of an earlier version lacks what came later. */
const presentOf = async (database: Database, columns: readonly SealedColumn[]): Promise<SealedColumn[]> => {
  const tables = await database.tables<unknown>().introspection.getTables()
  const present = new Set(tables.flatMap(({ name, columns: own }) => own.map((column) => `${name}.${column.name}`)))
  return columns.filter((column) => present.has(placeOf(column)))
}

const openOrNothing = (
  keys: ReadonlyMap<number, KeyObject>,
  column: SealedColumn,
  { row, sealed }: SealedRow,
): Buffer | null => {
  try {
    return openSealed((number) => keys.get(number), placeOf(column), row, sealed)
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error
    return null
  }
}

/** Some words from the beginning, as they stand there. */
const wordsOf = (plain: Buffer, member: string | undefined): string => {
  const whole = plain.toString('utf8')
  const text = member === undefined ? whole : String((JSON.parse(whole) as Record<string, unknown>)[member] ?? '')
  const words = text.slice(0, 2000).split(/\s+/).slice(0, -1)
  return (words.length === 0 ? [text.trim()] : words)
    .filter((word) => word.length >= 3 && word.length <= 40)
    .slice(0, 3)
    .join(' ')
}

const search = async (database: Database, samples: readonly Sample[], instanceKey: Buffer): Promise<number> => {
  if (samples.length === 0) return 0
  const vault = await openVault({ database, instanceKey, clock: systemClock })
  const { texts } = createSearchIndexes({ database, vault })
  let found = 0
  for (const { entry, query } of samples) {
    const place = await database
      .tables<SearchTables>()
      .selectFrom('search_entries')
      .innerJoin('search_groups', 'search_groups.number', 'search_entries.group_number')
      .select(['search_groups.name', 'search_groups.shelf'])
      .where('search_entries.id', '=', entry)
      .executeTakeFirst()
    // The index may have been behind at that moment, and signs alone are no words.
    if (!place || clausesOf(query, [], false).length === 0) continue
    const hits = await texts.find({
      text: query,
      partitions: [place.shelf],
      groups: [place.name],
      everyWord: true,
      limit: mostHits,
    })
    if (!hits.some(({ id }) => id === entry))
      throw new BackupFailure('different', 'The search index does not find an entry by its own words.')
    found += 1
  }
  return found
}

/** Of one document or chat. */
const mostHits = 100_000
