/** A database thread: owns one connection and does what it is told, in order. Never imported, only started. */
import { statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import { load as loadVectors } from 'sqlite-vec'
import { freeMemory } from '../../memory.ts'
import { staleRow } from '../unread.ts'
import { openConnection } from './connection.ts'
import { createPrivate, takeLock } from './lock.ts'
import { createLogSync, type LogSync, openLogOf } from './log-sync.ts'
import { createProgress } from './progress.ts'
import { type Command, type OpenOptions, type Outcome, type Reply, WITHDRAWN } from './messages.ts'
import { packRows, type Row } from './rows.ts'

const MAX_STATEMENTS = 500
const port = parentPort
if (port === null) throw new Error('This file runs as a thread.')

const progress = createProgress(workerData)
let lock: Sqlite.Database | null = null
let connection: Sqlite.Database | null = null
let hasVectors = false
/** Between `begin` and its end, as the event loop sees it. */
let inTransaction = false
/** Why the open transaction cannot go on: as in PostgreSQL, one failed statement fails all that follow, and the commit. */
let failure: unknown = null
const statements = new Map<string, Sqlite.Statement>()
/** Null while SQLite itself forces each commit to the disk. */
let logSync: LogSync | null = null
/** Whether the last command committed something that may not be on the disk yet. */
let hasCommitted = false

port.on('message', (commands: readonly Command[]) => {
  let replies: Reply[] = []
  const committed: Reply[] = []
  let since = performance.now()
  const send = (): void => {
    post(replies)
    replies = []
    since = performance.now()
  }
  for (const command of commands) {
    hasCommitted = false
    const reply = answer(command)
    ;(hasCommitted && logSync ? committed : replies).push(reply)
    // Nobody waits long for the answers of others.
    if (performance.now() - since > 2) send()
  }
  send()
  // Closing the file has put everything on the disk.
  if (logSync === null) post(committed)
  else if (committed.length > 0) logSync.request(() => post(committed))
  if (commands.at(-1)?.[1] === 'end') port.close()
})

const post = (replies: readonly Reply[]): void => {
  if (replies.length === 0) return
  const bytes = replies.flatMap((reply) => (reply[1]?.[0] ? [reply[1][0].bytes.buffer as ArrayBuffer] : []))
  port.postMessage(replies, bytes)
}

const answer = (command: Command): Reply => {
  const [id] = command
  try {
    return [id, obey(command)]
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    if (inTransaction && command[1] !== 'read') failure ??= error
    return [id, null, String(code ?? 'ERROR'), String(message)]
  }
}

const obey = (command: Command): Outcome | null => {
  switch (command[1]) {
    case 'open':
      open(command[2])
      return null
    case 'begin':
      inTransaction = true
      failure = null
      run(prepare('begin immediate'), [])
      return expectRows(run(prepare(command[2]), command[3]), command[4])
    case 'run':
      requireTransaction()
      return expectRows(run(prepare(command[2]), command[3]), command[4])
    case 'read': {
      if (!progress.begin(command[0])) throw Object.assign(new Error('withdrawn'), { code: WITHDRAWN })
      const statement = prepare(command[2])
      return statement.readonly ? run(statement, command[3]) : null
    }
    case 'refuse':
      if (command[2]) inTransaction = true
      throw new Error(command[3])
    case 'commit':
      commit()
      return null
    case 'rollback':
      rollback()
      return null
    case 'close':
      close()
      return null
    case 'end':
      return null
  }
}

/** SQLite undoes a transaction by itself on some failures, a full disk among them: what follows must not be kept. */
const requireTransaction = (): void => {
  if (inTransaction && failure !== null) throw failure
  if (inTransaction && !opened().inTransaction) throw new Error('The transaction had failed and was undone.')
}

/** One that fails is undone here: the next transaction may stand right behind it. */
const commit = (): void => {
  try {
    requireTransaction()
    run(prepare('commit'), [])
  } catch (error) {
    rollback()
    throw error
  }
  inTransaction = false
  hasCommitted = true
}

const rollback = (): void => {
  inTransaction = false
  failure = null
  if (opened().inTransaction) run(prepare('rollback'), [])
}

const opened = (): Sqlite.Database => {
  if (connection === null) throw new Error('The database is not open.')
  return connection
}

const open = (options: OpenOptions): void => {
  if (options.lockFile !== null) lock = takeLock(options.lockFile)
  try {
    if (!options.readonly) prepareFile(options)
    connection = openConnection(options)
    configure(connection, options)
  } catch (error) {
    connection?.close()
    lock?.close()
    throw error
  }
}

/** As if the thread had just begun: another file may be opened. */
const close = (): void => {
  statements.clear()
  hasVectors = false
  inTransaction = false
  failure = null
  logSync?.close()
  logSync = null
  connection?.close()
  connection = null
  lock?.close()
  lock = null
}

/** Makes the file if it is not there; if it is, tries the key on a connection that cannot write. */
const prepareFile = (options: OpenOptions): void => {
  createPrivate(options.file)
  if (statSync(options.file).size === 0) return
  openConnection({ ...options, readonly: true }).close()
}

const configure = (opening: Sqlite.Database, { file, readonly }: OpenOptions): void => {
  opening.pragma('temp_store=memory')
  opening.pragma('cache_size=-16000')
  opening.pragma('foreign_keys=on')
  if (readonly) return
  // What was acknowledged is on the disk, also when the power fails. Without a log, SQLite has to see to that.
  opening.pragma('synchronous=full')
  if (opening.pragma('journal_mode=wal', { simple: true }) === 'wal') {
    opening.pragma('synchronous=normal')
    // The log is made with the first look into the file.
    opening.prepare('select count(*) from sqlite_master').get()
    logSync = createLogSync(openLogOf(file), endThread)
  }
  // A long read can make the log grow; give the space back at the next checkpoint.
  opening.pragma('journal_size_limit=67108864')
}

/** Whoever waits for a commit hears that it is not known to be kept. */
const endThread = (error: Error): void => {
  throw error
}

/** Statements are kept, least recently used first out. A change of the schema makes them all stale. */
const prepare = (sql: string): Sqlite.Statement => {
  const known = statements.get(sql)
  if (known !== undefined) {
    statements.delete(sql)
    statements.set(sql, known)
    return known
  }
  // The functions of vectors cost memory, so they come with the first statement that needs them.
  if (!hasVectors && sql.includes('vec_')) {
    loadVectors(opened())
    hasVectors = true
  }
  const statement = opened().prepare(sql)
  if (/^\s*(create|alter|drop)\b/i.test(sql)) {
    statements.clear()
    return statement
  }
  if (statements.size >= MAX_STATEMENTS) statements.delete(statements.keys().next().value ?? '')
  statements.set(sql, statement)
  return statement
}

const run = (statement: Sqlite.Statement, parameters: readonly unknown[]): Outcome => {
  const outcome = execute(statement, parameters)
  hasCommitted ||= !statement.readonly && !opened().inTransaction
  return outcome
}

const expectRows = (outcome: Outcome, rows: number | undefined): Outcome => {
  if (rows !== undefined && outcome[1] !== rows) throw staleRow()
  return outcome
}

const execute = (statement: Sqlite.Statement, parameters: readonly unknown[]): Outcome => {
  if (!statement.reader) {
    const { changes } = statement.run(...parameters)
    for (const value of parameters) if (value instanceof Uint8Array) freeMemory(value)
    return [null, changes]
  }
  const rows = statement.all(...parameters) as Row[]
  return [rows.length === 0 ? null : packRows(rows), statement.readonly ? null : rows.length]
}
