/** What the event loop and a database thread say to each other: lists of short tuples, one for every statement. */

import type { PackedRows } from './rows.ts'

/** How a thread opens the file. */
export interface OpenOptions {
  readonly file: string
  /** 64 hex digits, or null for a file in plain. */
  readonly key: string | null
  readonly readonly: boolean
  /** Held exclusively until it is closed; null for none. */
  readonly lockFile: string | null
}

export type Command =
  | readonly [id: number, verb: 'open', options: OpenOptions]
  /**
   * `begin` opens a transaction first, so that doing so costs no message of its own. `rows`: how many it has to change, or
   * its transaction fails.
   */
  | readonly [id: number, verb: 'run' | 'begin', sql: string, parameters: readonly unknown[], rows?: number | undefined]
  /** Runs it only if it does not write; answers null otherwise. */
  | readonly [id: number, verb: 'read', sql: string, parameters: readonly unknown[]]
  /** In place of a statement with a value that cannot cross: whatever it belongs to must fail. */
  | readonly [id: number, verb: 'refuse', begins: boolean, message: string]
  /** `close` closes the file; another may be opened then. `end` ends the thread. */
  | readonly [id: number, verb: 'commit' | 'rollback' | 'close' | 'end']

/** Rows (null for none), and how many rows a write touched (null for a read). */
export type Outcome = readonly [rows: PackedRows | null, changed: number | null]

export type Reply =
  | readonly [id: number, outcome: Outcome | null]
  | readonly [id: number, outcome: null, code: string, message: string]

export const WRONG_KEY = 'ATRIUM_WRONG_KEY'
/** The read had not begun when it was withdrawn. */
export const WITHDRAWN = 'ATRIUM_WITHDRAWN'
export const LOCKED = 'ATRIUM_LOCKED'
