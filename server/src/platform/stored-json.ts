/**
 * JSON in columns. What is written is checked by the very schema that it is read with, so that nothing is stored that
 * cannot be read again; and a row that cannot be read is told apart from every other fault, so that lists go on
 * without it.
 */
import type { z } from 'zod'
import { createCache } from './cache/cache.ts'
import type { Log } from './log/log.ts'
import { VaultFailure } from './vault/failure.ts'
import type { Keyring, ColumnName, Sealed } from './vault/types.ts'

/** What stands in a row is not what its column holds: no JSON, of another form, or with a broken seal. */
export class UnreadableRow extends Error {
  readonly place: ColumnName
  readonly rowId: string
  constructor(place: ColumnName, rowId: string, cause: unknown) {
    super(`A row of ${place} cannot be read.`, { cause })
    this.name = 'UnreadableRow'
    this.place = place
    this.rowId = rowId
  }
}

export interface StoredJson<T> {
  /** The value as JSON, repaired where it needs it. Throws ZodError for what could not be read again. */
  write(value: T): string
  /** Throws UnreadableRow. */
  read(rowId: string, json: string): T
  /** `write`, sealed. */
  seal(keyring: Keyring, rowId: string, value: T): Sealed
  /** `read` of what was sealed. Throws UnreadableRow. */
  open(keyring: Keyring, rowId: string, sealed: Uint8Array): T
}

/**
 * The JSON of one column, by its schema. `repair` makes the best of a value that the schema refuses: what an older
 * version wrote becomes what is written today, and what matters less is left out.
 */
export function storedJson<T>(
  place: ColumnName,
  schema: z.ZodType<T>,
  repair?: (stored: unknown) => unknown,
): StoredJson<T> {
  const parse = (rowId: string, text: () => string): T => {
    try {
      const stored: unknown = JSON.parse(text())
      const read = schema.safeParse(stored)
      if (read.success) return read.data
      if (repair) return schema.parse(repair(stored))
      throw read.error
    } catch (error) {
      throw new UnreadableRow(place, rowId, error)
    }
  }
  const write = (value: T): string => {
    const text = JSON.stringify(value)
    const stored: unknown = JSON.parse(text)
    const { success, error } = schema.safeParse(stored)
    if (success) return text
    if (!repair) throw error
    return JSON.stringify(schema.parse(repair(stored)))
  }
  return {
    write,
    read: (rowId, json) => parse(rowId, () => json),
    seal: (keyring, rowId, value) => keyring.seal(place, rowId, write(value)),
    open: (keyring, rowId, sealed) => parse(rowId, () => keyring.open(place, rowId, sealed)),
  }
}

/** What stands in plain columns of a row, by a schema. Throws UnreadableRow. */
export function readColumns<T>(place: ColumnName, schema: z.ZodType<T>, rowId: string, columns: unknown): T {
  const { success, data, error } = schema.safeParse(columns)
  if (success) return data
  throw new UnreadableRow(place, rowId, error)
}

/** What `read` gives, or `otherwise` when a row cannot be read, of which the log is told. Every other error passes. */
export function unlessUnreadable<T, U>(read: () => T, otherwise: U): T | U {
  try {
    return read()
  } catch (error) {
    if (!isUnreadable(error)) throw error
    tell(error)
    return otherwise
  }
}

/** Those of the rows that can be read; of the others the log is told. */
export const readableOf = <R, T>(rows: readonly R[], read: (row: R) => T): T[] =>
  rows.flatMap((row) => unlessUnreadable(() => [read(row)], []))

/** What stands for words that cannot be read, in every language: the replacement character of Unicode. */
export const unreadableWords = '\u{FFFD}'

/** Opens a name, a title or the like; `unreadableWords` where it cannot be read, so that its row still can be deleted. */
export const openWords = (keyring: Keyring, place: ColumnName, rowId: string, sealed: Uint8Array): string =>
  unlessUnreadable(() => keyring.open(place, rowId, sealed), unreadableWords)

/** Whether an error means nothing but that a row cannot be read. */
export const isUnreadable = (error: unknown): error is UnreadableRow | VaultFailure =>
  error instanceof UnreadableRow || (error instanceof VaultFailure && error.kind === 'damaged')

/** Where this process writes of rows that cannot be read, each of them once; to be said when it starts. */
export const logUnreadableRows = (to: Pick<Log, 'warn'> | null): void => {
  log = to
  told.forget()
}

let log: Pick<Log, 'warn'> | null = null
/** A list that is asked for often would fill the log otherwise. */
const told = createCache<true>({ max: 1000 })

/** Without the words of the fault: those of a JSON parser quote what stands in the row. */
function tell(error: UnreadableRow | VaultFailure): void {
  const row = error instanceof UnreadableRow ? `${error.place} ${error.rowId}` : error.message
  if (log === null || told.get(row)) return
  told.set(row, true)
  const cause = error instanceof UnreadableRow && error.cause instanceof Error ? { cause: error.cause.name } : {}
  const about = error instanceof UnreadableRow ? { place: error.place, row: error.rowId, ...cause } : {}
  log.warn(error.message, about)
}
