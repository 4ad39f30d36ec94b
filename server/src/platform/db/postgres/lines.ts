/** Lines in which transactions wait before they begin, so that those who would only meet at one row take turns. */
import { type Kysely, sql } from 'kysely'

export interface Lines {
  /** Runs work on a connection of its own when all who came before are through, in this process and in others. */
  pass<R>(line: string, kysely: Kysely<unknown>, work: (on: Kysely<unknown>) => Promise<R>): Promise<R>
}

/** Of each line one transaction at a time takes a connection of this process: the rest waits without any. */
export const createLines = (): Lines => {
  const last = new Map<string, Promise<unknown>>()
  return {
    pass: (line, kysely, work) => {
      const turn = (last.get(line) ?? Promise.resolve()).then(() => inLine(kysely, line, work))
      const over = turn
        .catch(() => undefined)
        .then(() => {
          if (last.get(line) === over) last.delete(line)
        })
      last.set(line, over)
      return turn
    },
  }
}

/** Waits before the transaction begins: once it has begun it sees the rows of then, and could only lose. */
const inLine = <R>(kysely: Kysely<unknown>, line: string, work: (on: Kysely<unknown>) => Promise<R>): Promise<R> =>
  kysely.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtextextended(${`atrium-line:${line}`}, 0))`.execute(connection)
    try {
      return await work(connection)
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${`atrium-line:${line}`}, 0))`.execute(connection)
    }
  })
