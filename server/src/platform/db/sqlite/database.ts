/** The database in a file of the data folder, for one process. */
import { Kysely, sql, type Transaction } from 'kysely'
import { checkPayload, createChannels } from '../channels.ts'
import { DatabaseDamagedError, isStale } from '../errors.ts'
import { createNesting } from '../nesting.ts'
import { prepareOn } from '../prepared.ts'
import type { DatabaseRecorder } from '../metrics.ts'
import { createTasks } from '../tasks.ts'
import type { AnyTransaction, Database, DatabaseLog } from '../types.ts'
import { sqliteChecks } from './checks.ts'
import { createSqliteDialect } from './dialect.ts'
import { createSqliteMeasure, readSizes } from './measure.ts'
import { openWriterReader } from './writer-reader.ts'
import { createWriteLock } from './write-lock.ts'

export interface SqliteOptions {
  readonly file: string
  /** 32 bytes; without it the file is written in plain. */
  readonly key: Buffer | undefined
  /** Where copies of the file are. */
  readonly snapshotFolder?: string | undefined
  /** Keeps other processes out of the file. */
  readonly lock: boolean
  /** Starts the thread for reading only when somebody is there. */
  readonly frugal: boolean
  readonly nestedWaitMs: number
  readonly log: DatabaseLog
  readonly recorder: DatabaseRecorder | null
}

/** Opens or makes the file. Throws DatabaseKeyError or DatabaseLockedError before anything is written. */
export const openSqlite = async (options: SqliteOptions): Promise<Database> => {
  const { file, log, recorder } = options
  if (options.key !== undefined && options.key.length !== 32) throw new Error('The key of a database is 32 bytes.')
  const key = options.key?.toString('hex') ?? null
  let damaged: DatabaseDamagedError | null = null
  const onDamage = (code: string): DatabaseDamagedError => {
    const error = new DatabaseDamagedError(code, describeDamage(file, options.snapshotFolder))
    if (damaged === null) log.error({ code }, error.message)
    damaged = error
    return error
  }
  const threads = await openWriterReader({
    onDamage,
    file,
    key,
    log,
    frugal: options.frugal,
    lockFile: options.lock ? `${file}.lock` : null,
  })
  const tasks = createTasks()
  const nesting = createNesting(options.nestedWaitMs)
  // The row types are the caller's: `tables<T>()` says which.
  const kysely = new Kysely<unknown>({
    dialect: createSqliteDialect(threads, createWriteLock(), nesting, tasks, recorder?.failed),
    ...(recorder && { log: recorder.log }),
  })
  const channels = createChannels(log)
  const emit = (channel: string, payload: string): void => queueMicrotask(() => channels.emit(channel, payload))
  /** What is told once a transaction is committed. */
  const messages = new WeakMap<AnyTransaction, [channel: string, payload: string][]>()
  const writeAndTell = async <T, R>(work: (trx: Transaction<T>) => Promise<R>): Promise<R> => {
    const told: [channel: string, payload: string][] = []
    const given = await (kysely as unknown as Kysely<T>).transaction().execute((trx) => {
      messages.set(trx, told)
      return work(trx)
    })
    for (const message of told) emit(...message)
    return given
  }
  const present = new Set<string>()
  let closing: Promise<void> | null = null
  const size = async (): Promise<number> => {
    const [main, log] = await readSizes(file)
    return main + log
  }

  const measureSqlite = createSqliteMeasure()

  return {
    dialect: 'sqlite',
    hasOneWriter: true,
    tables: <T>() => kysely as unknown as Kysely<T>,
    prepare: (write) => prepareOn(kysely, write),
    readBytes: async ({ table, column, where }) => {
      const named = Object.entries(where).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
      const asked = sql<{ value: Uint8Array | null }>`select ${sql.ref(column)} as value from ${sql.table(table)}
        where ${sql.join(named, sql` and `)}`
      return (await asked.execute(kysely)).rows[0]?.value ?? null
    },
    write: <T, R>(work: (trx: Transaction<T>) => Promise<R>) => {
      const run = () => tasks.write(() => nesting.run(() => retryStale(() => writeAndTell(work))))
      return recorder ? recorder.timeWrite(run) : run()
    },
    // The lock on the folder says it: whoever is not this process is gone.
    holdPresence: async (processId) => void present.add(processId),
    isGone: async (processId) => !present.has(processId),
    notify: async (channel, payload) => {
      checkPayload(channel, payload)
      emit(channel, payload)
    },
    notifyIn: async (trx, channel, payload) => {
      checkPayload(channel, payload)
      const told = messages.get(trx)
      if (!told) throw new Error('Messages are told with a transaction of `write`.')
      told.push([channel, payload])
    },
    listen: channels.listen,
    checks: sqliteChecks(
      file,
      size,
      async (statement) => (await sql.raw<Record<string, unknown>>(statement).execute(kysely)).rows,
    ),
    size,
    measure: (wanted) => measureSqlite(kysely, file, wanted),
    connections: () => null,
    // The writer too, past all transactions that wait for it.
    ping: async () => {
      // It may still answer some questions; that does not make it fit to serve.
      if (damaged !== null) throw damaged
      await Promise.all([sql`select count(*) from sqlite_master`.execute(kysely), threads.writer.read('select 1', [])])
    },
    close: () => {
      closing ??= tasks.close().then(() => threads.close())
      return closing
    },
  }
}

/** Whoever takes a row for what it is not so often does not read it anew. */
const mostTries = 5

const retryStale = async <R>(run: () => Promise<R>): Promise<R> => {
  for (let tries = 1; ; tries += 1)
    try {
      return await run()
    } catch (error) {
      if (!isStale(error) || tries === mostTries) throw error
    }
}

const describeDamage = (file: string, snapshotFolder: string | undefined): string => {
  const copies =
    snapshotFolder === undefined ? 'your last backup' : `your last backup, or the newest copy in ${snapshotFolder},`
  return `The database file ${file} is damaged. Stop Atrium and keep what is there: ${file} and the files whose names begin with it. Then put ${copies} in its place without those, and start again.`
}
