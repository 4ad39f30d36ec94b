/** Work that somebody waits for: it hears sooner that the database does not answer than what goes on in the background. */
import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<true>()

/** Runs the work of a request, and what it begins. */
export const runForRequest = <R>(work: () => R): R => storage.run(true, work)

/** Whether this is part of a request. */
export const isForRequest = (): boolean => storage.getStore() === true

/** A request waits for one of these, then for the other, and must be answered within ten seconds. */
export interface RequestLimits {
  /** For a connection. */
  readonly connectMs: number
  /** For the answer to one statement. */
  readonly statementMs: number
}

export const usualRequestLimits: RequestLimits = { connectMs: 3500, statementMs: 5000 }
