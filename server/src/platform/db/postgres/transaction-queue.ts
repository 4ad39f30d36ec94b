/** Queues in which transactions wait before they begin, so that those who would only meet at one row take turns. */
import { type Kysely, sql } from 'kysely'

export interface TransactionQueues {
  /** Runs work on a connection of its own when all who came before are through, in this process and in others. */
  run<R>(queue: string, kysely: Kysely<unknown>, work: (on: Kysely<unknown>) => Promise<R>): Promise<R>
}

/** Of each queue one transaction at a time takes a connection of this process: the rest waits without any. */
export const createTransactionQueues = (): TransactionQueues => {
  const last = new Map<string, Promise<unknown>>()
  return {
    run: (queue, kysely, work) => {
      const turn = (last.get(queue) ?? Promise.resolve()).then(() => runInQueue(kysely, queue, work))
      const over = turn
        .catch(() => undefined)
        .then(() => {
          if (last.get(queue) === over) last.delete(queue)
        })
      last.set(queue, over)
      return turn
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
