/** The two threads of a database file: one writes, one reads beside it. */
import type { DatabaseLog } from '../types.ts'
import { startThread, type Thread } from './thread.ts'

export interface Pair {
  readonly writer: Thread
  reader(): Promise<Thread>
  close(): Promise<void>
}

export interface PairOptions {
  readonly file: string
  /** 64 hex digits, or null for a file in plain. */
  readonly key: string | null
  readonly lockFile: string | null
  readonly log: DatabaseLog
}

/**
 * Starts both at once, and lets the reader open the file when the writer has made it.
 * A reader that dies (of a result too large for its memory, say) is replaced; a writer is not.
 */
export const openPair = async ({ file, key, lockFile, log }: PairOptions): Promise<Pair> => {
  const writer = startThread((error) => log.error({ err: error }, 'the writing thread of the database has ended'))
  let reader: Promise<Thread> | null = null

  const startReader = (): Promise<Thread> => {
    const thread = startThread((error) => {
      log.error({ err: error }, 'a reading thread of the database has ended')
      reader = null
    })
    return written
      .then(() => thread.open({ file, key, readonly: true, lockFile: null }))
      .then(
        () => thread,
        async (error: unknown) => {
          await thread.close()
          throw error
        },
      )
  }

  const written = writer.open({ file, key, readonly: false, lockFile })
  reader = startReader()
  try {
    await reader
  } catch (error) {
    await writer.close()
    throw error
  }
  return {
    writer,
    reader: () => {
      reader ??= startReader()
      return reader
    },
    // The writer last: whoever closes last empties the write-ahead log into the file.
    close: async () => {
      await (await reader)?.close()
      await writer.close()
    },
  }
}
