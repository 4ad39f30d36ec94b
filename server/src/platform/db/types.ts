/** The database as every floor above sees it: one query code, two dialects. */
import type { Kysely, Transaction } from 'kysely'

/** Column types by job; the dialect says what they are called. */
export interface ColumnTypes {
  /** Opaque ids, short words, JSON. */
  readonly text: string
  /** Times in integer milliseconds, counts, 0/1. 64 bits. */
  readonly int: string
  readonly real: string
  /** Sealed content. */
  readonly bytes: string
}

/** A step of the schema. Statements are portable SQL; the ledger keeps the checksum of what `up` gives. */
export interface Migration {
  /** `<area>/<four digits>-<words>`, never changed once released. */
  readonly id: string
  readonly up: (types: ColumnTypes) => readonly string[]
}

export interface Database {
  readonly dialect: 'sqlite' | 'postgres'
  /** Typed view for single statements. Reads run beside the writer; a write is a transaction of its own. */
  tables<T>(): Kysely<T>
  /** One write transaction (immediate on SQLite; retried on serialisation failures). Keep it short. */
  write<T, R>(work: (trx: Transaction<T>) => Promise<R>): Promise<R>
  /** Registers this process as alive under an id; it ends with the process, however it ends. */
  holdPresence(processId: string): Promise<void>
  isPresent(processId: string): Promise<boolean>
  /** Tells every process; payload under 8000 bytes. */
  notify(channel: string, payload: string): Promise<void>
  listen(channel: string, hear: (payload: string) => void): () => void
  /** Bytes on disk. */
  size(): Promise<number>
  ping(): Promise<void>
  close(): Promise<void>
}

/** An open transaction over anybody's tables, so that a part of the platform can write its own rows within it. */
export type AnyTransaction = Pick<Transaction<never>, 'isTransaction' | 'executeQuery'>

/** The same transaction, seen over the tables of whoever received it. */
export const over = <T>(trx: AnyTransaction): Transaction<T> => trx as unknown as Transaction<T>
