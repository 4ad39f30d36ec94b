/** SQLite for Kysely, with every statement run on a thread: reads on some, writes and transactions on one of their own. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Nesting } from '../nesting.ts'
import type { Tasks } from '../tasks.ts'
import { isStale } from '../errors.ts'
import { expectedRows, isUnread } from '../unread.ts'
import type { Outcome } from './messages.ts'
import type { WriterReader } from './writer-reader.ts'
import { unpackRows } from './rows.ts'
import type { WriteLock } from './write-lock.ts'

interface Connection extends DatabaseConnection {
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  release(): void
}

export const createSqliteDialect = (
  threads: WriterReader,
  writeLock: WriteLock,
  nesting: Nesting,
  tasks: Tasks,
  /** Told of commits that fail, with whatever of their transaction fails only then. */
  failed?: (error: unknown) => void,
): Dialect => ({
  createAdapter: () => new ManyConnections(),
  createDriver: () => createDriver(threads, writeLock, nesting, tasks, failed),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})

/** Kysely would otherwise let only one statement at a time through to SQLite. */
class ManyConnections extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

const createDriver = (
  threads: WriterReader,
  writeLock: WriteLock,
  nesting: Nesting,
  tasks: Tasks,
  failed?: (error: unknown) => void,
): Driver => ({
  init: async () => undefined,
  acquireConnection: async () => createConnection(threads, writeLock, nesting, tasks.statement()),
  beginTransaction: (connection) => (connection as Connection).begin(),
  commitTransaction: async (connection) => {
    try {
      await (connection as Connection).commit()
    } catch (error) {
      // That one is run again.
      if (!isStale(error)) failed?.(error)
      throw error
    }
  },
  rollbackTransaction: (connection) => (connection as Connection).rollback(),
  releaseConnection: async (connection) => (connection as Connection).release(),
  destroy: async () => undefined,
})

const createConnection = (
  threads: WriterReader,
  writeLock: WriteLock,
  nesting: Nesting,
  done: () => void,
): Connection => {
  // Set while this connection has the writer for itself.
  let giveBack: (() => void) | null = null
  let begun = false

  const execute = async (asked: CompiledQuery): Promise<Outcome> => {
    const { sql, parameters, query } = asked
    if (begun) return threads.writer.run(sql, parameters, expectedRows(asked))
    if (giveBack !== null) {
      begun = true
      return threads.writer.begin(sql, parameters, expectedRows(asked))
    }
    if (query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && mayRead.test(sql))) {
      const readers = threads.readers(writeLock.isTaken())
      const outcome = readers && (await (await readers).read(sql, parameters))
      if (outcome !== null) return outcome
    }
    await nesting.outside()
    return writeLock.pass(() => threads.writer.run(sql, parameters))
  }
  const end = (): void => {
    begun = false
    giveBack?.()
    giveBack = null
  }

  return {
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      if (giveBack !== null && isUnread(query)) {
        // In one message with what follows. Its failure fails whatever comes next, the commit at the latest.
        execute(query).catch(() => undefined)
        return { rows: [] }
      }
      const [packed, changed] = await execute(query)
      const rows = (packed === null ? [] : unpackRows(packed)) as R[]
      return changed === null ? { rows } : { rows, numAffectedRows: BigInt(changed) }
    },
    streamQuery: () => {
      throw new Error('Rows are read page by page, not as a stream.')
    },
    begin: async () => {
      giveBack = await writeLock.take()
    },
    commit: async () => {
      const committed = begun ? threads.writer.commit() : null
      // Who is next need not wait until this is on the disk: the thread does it after the commit, and confirms it later.
      end()
      await committed
    },
    rollback: async () => {
      try {
        if (begun) await threads.writer.rollback()
      } finally {
        end()
      }
    },
    release: done,
  }
}

/** Only a hint: the reader refuses what would write, and then the writer gets it. */
const mayRead = /^\s*(select|with|values|explain)\b/i
