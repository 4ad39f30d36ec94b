/** The database as every floor above sees it: one query code, two dialects. */
import type { DiagnosticCheck } from '../diagnostics/checks.ts'
import type { Kysely, RawBuilder, Transaction } from 'kysely'

/** Column types by job; the dialect says what they are called. */
export interface ColumnTypes {
  /** Opaque ids, short words, JSON. */
  readonly text: string
  /** Times in integer milliseconds, counts, 0/1. 64 bits. */
  readonly int: string
  readonly real: string
  /** Sealed content. */
  readonly bytes: string
  /** A whole number that the database counts up by itself; the primary key. */
  readonly key: string
}

/** A step of the schema. Statements are portable SQL; the ledger keeps the checksum of what `up` gives. */
export interface Migration {
  /** `<area>/<four digits>-<words>`, never changed once released. */
  readonly id: string
  /** The dialect is for indexes that are made quite differently, within platform/db. */
  readonly up: (types: ColumnTypes, dialect: Database['dialect']) => readonly string[]
}

/** What the database needs of a log; the server's own fits. */
export interface DatabaseLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** One value of a table's `bytes` column, by the columns that name its row. */
export interface BytesPlace {
  readonly table: string
  readonly column: string
  readonly where: Readonly<Record<string, string | number>>
}

export interface Database {
  readonly dialect: 'sqlite' | 'postgres'
  /** Whether no other process writes to it: what this one wrote last is what stands there. */
  readonly hasOneWriter: boolean
  /** Typed view for single statements. Reads run beside the writer; a write is a transaction of its own. */
  tables<T>(): Kysely<T>
  /**
   * A question that is asked at nearly every request: written once, and kept ready by the database. Name the columns that
   * it gives, as `*` goes wrong in a process that is still there when another one changes the schema.
   */
  prepare<V extends Readonly<Record<string, string | number>>, R>(
    write: QueryTemplate<V, R>,
  ): (values: V) => Promise<R[]>
  /**
   * One large value outside transactions, in memory of its own that may be given back; null where there is no such row. It
   * takes less memory on the way than a statement that selects it.
   */
  readBytes(place: BytesPlace): Promise<Uint8Array | null>
  /**
   * One write transaction, as if it were the only one (immediate on SQLite; serializable on PostgreSQL), and run again
   * when it lost against another. `work` must do nothing but talk to `trx`, and must be short. Those with the same
   * `queue` begin one after the other, in all processes: for rows that everybody writes.
   */
  write<T, R>(work: (trx: Transaction<T>) => Promise<R>, queue?: string): Promise<R>
  /** Registers this process as alive under an id; it ends with the process, however it ends. */
  holdPresence(processId: string): Promise<void>
  /**
   * Whether a process is gone, so that others may take over what it left. It takes a moment where it may be; that the
   * database itself was away is no reason. Rejects while the database does not answer.
   */
  isGone(processId: string): Promise<boolean>
  /** Tells every process, this one too; payload and channel under 7900 bytes. */
  notify(channel: string, payload: string): Promise<void>
  /** The same as part of a transaction: all are told when it is committed, and nobody when it is not. */
  notifyIn(trx: AnyTransaction, channel: string, payload: string): Promise<void>
  /** Gives the function that stops it. `onGap` is called when the connection was lost and messages may be missing. */
  listen(channel: string, hear: (payload: string) => void, onGap?: () => void): () => void
  /** What can be wrong with a database that answers. */
  readonly checks: readonly DiagnosticCheck[]
  /** Bytes on disk. */
  size(): Promise<number>
  /** How large and how busy it is, for those who run it; without its tables it is quick. */
  measure(options?: { readonly tables: boolean }): Promise<DatabaseMeasure>
  /** Connections of this process just now; asks nothing of the database. */
  connections(): DatabaseMeasure['connections']
  ping(): Promise<void>
  close(): Promise<void>
}

export interface DatabaseMeasure {
  readonly dialect: Database['dialect']
  readonly version: string
  readonly sizeBytes: number
  /** Of what is written ahead; null where it may not be asked. */
  readonly logBytes: number | null
  /** The largest, with their indexes; null where they were not asked for, or measuring them would take too long. */
  readonly tables: readonly { readonly name: string; readonly bytes: number }[] | null
  /** Of this process; null where there are none. */
  readonly connections: { readonly used: number; readonly waiting: number; readonly limit: number } | null
  /** Of the whole server; null where there are none. */
  readonly serverConnections: { readonly used: number; readonly limit: number } | null
}

/** Writes a question; `value` stands for what is not known before it is asked. */
export type QueryTemplate<V, R> = (value: (name: keyof V & string) => RawBuilder<unknown>) => RawBuilder<R>

/** An open transaction over anybody's tables, so that a part of the platform can write its own rows within it. */
export type AnyTransaction = Pick<Transaction<never>, 'isTransaction' | 'executeQuery'>

/** The same transaction, seen over the tables of whoever received it. */
export const inTables = <T>(trx: AnyTransaction): Transaction<T> => trx as unknown as Transaction<T>
