/** Queues in which transactions wait before they begin, so that those who would only meet at one row take turns. */
import { type Kysely, sql } from 'kysely'
import { type RunInTurn, createTurns } from './turns.ts'

export interface TransactionQueues {
  /** Runs work on a connection of its own when all who came before are through, in this process and in others. */
  run<R>(queue: string, kysely: Kysely<unknown>, work: (on: Kysely<unknown>) => Promise<R>): Promise<R>
}

/**
 * Of each queue one transaction at a time takes a connection of this process: the rest waits without any. Whoever waited
 * longer than `patienceMs` when the database turns out to be away is told so at once.
 */
export const createTransactionQueues = (patienceMs: number): TransactionQueues => {
  // The names are those in the code: as many as there are.
  const queues = new Map<string, RunInTurn>()
  return {
    run: (queue, kysely, work) => {
      const inTurn = queues.get(queue) ?? createTurns(patienceMs)
      queues.set(queue, inTurn)
      return inTurn(() => runInQueue(kysely, queue, work))
    },
  }
}

/** Waits before the transaction begins: once it has begun it sees the rows of then, and could only lose. */
const runInQueue = <R>(kysely: Kysely<unknown>, queue: string, work: (on: Kysely<unknown>) => Promise<R>): Promise<R> =>
  kysely.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtextextended(${`atrium-line:${queue}`}, 0))`.execute(connection)
    try {
      return await work(connection)
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${`atrium-line:${queue}`}, 0))`.execute(connection)
    }
  })
