/** What the event loop and a database thread say to each other. Short tuples, because every statement is one of each. */

/** How a thread opens the file. */
export interface OpenOptions {
  readonly file: string
  /** 64 hex digits, or null for a file in plain. */
  readonly key: string | null
  readonly readonly: boolean
  /** Held exclusively for as long as the thread lives; null for none. */
  readonly lockFile: string | null
}

export type Command =
  | readonly [id: number, verb: 'open', options: OpenOptions]
  | readonly [id: number, verb: 'run', sql: string, parameters: readonly unknown[]]
  /** Runs it only if it does not write; answers null otherwise. */
  | readonly [id: number, verb: 'read', sql: string, parameters: readonly unknown[]]
  | readonly [id: number, verb: 'rollback' | 'close']

/** Rows, and how many rows a write touched (null for a read). */
export type Outcome = readonly [rows: Record<string, unknown>[], changed: number | null]

export type Reply =
  | readonly [id: number, outcome: Outcome | null]
  | readonly [id: number, outcome: null, code: string, message: string]

export const WRONG_KEY = 'ATRIUM_WRONG_KEY'
export const LOCKED = 'ATRIUM_LOCKED'
