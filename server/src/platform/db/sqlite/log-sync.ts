/**
 * Puts the write-ahead log on the disk behind commits. SQLite would do that within each commit, and every writer would wait
 * for the disk of every other; so it only writes the log, and whoever committed hears of it once the log is on the disk.
 * Those who commit while that goes on share the next time, as with the group commit of other databases.
 */
import { closeSync, fdatasync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

export interface LogSync {
  /** Calls `done` when all that is committed by now is on the disk. */
  request(done: () => void): void
  /** The same at once, for all that is committed; then lets go of the file. */
  close(): void
}

/** What the operating system does; other than that for tests. */
export interface LogFile {
  sync(done: (error: Error | null) => void): void
  syncNow(): void
  close(): void
}

/**
 * `failed` hears of a disk that does not take the log: whether what was written before it is there, nobody can say then,
 * so nothing is confirmed any more.
 */
export const createLogSync = (log: LogFile, failed: (error: Error) => void): LogSync => {
  let waiting: (() => void)[] = []
  let isSyncing = false
  let isClosed = false
  let isBroken = false

  const begin = (): void => {
    if (isSyncing || isBroken || waiting.length === 0) return
    isSyncing = true
    const due = waiting
    waiting = []
    log.sync((error) => {
      isSyncing = false
      if (isClosed) log.close()
      if (error !== null) {
        isBroken = true
        failed(error)
        return
      }
      for (const done of due) done()
      if (!isClosed) begin()
    })
  }
  return {
    request: (done) => {
      waiting.push(done)
      begin()
    },
    close: () => {
      isClosed = true
      try {
        if (isBroken) return
        log.syncNow()
        for (const done of waiting) done()
        waiting = []
      } finally {
        if (!isSyncing) log.close()
      }
    },
  }
}

/** The write-ahead log of a database file, once SQLite has made it. Throws what the file system says. */
export const openLogOf = (file: string): LogFile => {
  // Windows flushes only what may be written.
  const descriptor = openSync(`${file}-wal`, 'r+')
  syncFolder(dirname(file))
  return {
    sync: (done) => fdatasync(descriptor, done),
    syncNow: () => fdatasyncSync(descriptor),
    close: () => closeSync(descriptor),
  }
}

/** The log is as lasting as its entry in the folder. Windows has no such thing for folders. */
const syncFolder = (folder: string): void => {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
