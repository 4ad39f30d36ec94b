/** The two threads of a database file: one writes, one reads beside it as soon as there is more than a little to read. */
import type { DatabaseDamagedError } from '../errors.ts'
import type { DatabaseLog } from '../types.ts'
import { startThread, type Thread } from './thread.ts'

export interface WriterReader {
  readonly writer: Thread
  /** Who reads now; null when the writer may do that as well. `waits`: the writer has other things to do. */
  reader(waits: boolean): Promise<Thread> | null
  close(): Promise<void>
}

export interface WriterReaderOptions {
  readonly file: string
  /** 64 hex digits, or null for a file in plain. */
  readonly key: string | null
  readonly lockFile: string | null
  /** Start the reader only when there is more to read than a server asks itself when nobody visits it. */
  readonly frugal: boolean
  /** Hears when the file proves damaged; gives the error to throw. */
  readonly onDamage: (code: string) => DatabaseDamagedError
  readonly log: DatabaseLog
}

/** So many reads within a second mean that somebody is here. A thread takes some 11 MB, so an idle server has but one. */
const fewReads = 20
const fewMs = 1000

/**
 * Starts the writer, and the reader at once or when it is needed; the reader opens the file when the writer has made it.
 * A reader that dies (of a result too large for its memory, say) is replaced; a writer is not.
 */
export const openWriterReader = async ({
  file,
  key,
  lockFile,
  frugal,
  onDamage,
  log,
}: WriterReaderOptions): Promise<WriterReader> => {
  const writer = startThread(
    (error) => log.error({ err: error }, 'the writing thread of the database has ended'),
    undefined,
    onDamage,
  )
  let reader: Promise<Thread> | null = null
  let needed = !frugal
  let reads = 0
  let since = performance.now()

  const isNeeded = (waits: boolean): boolean => {
    const now = performance.now()
    if (now - since > fewMs) [reads, since] = [0, now]
    reads += 1
    return waits || reads > fewReads
  }
  const startReader = (): Promise<Thread> => {
    const thread = startThread(
      (error) => {
        log.error({ err: error }, 'a reading thread of the database has ended')
        reader = null
      },
      undefined,
      onDamage,
    )
    return written
      .then(() => thread.open({ file, key, readonly: true, lockFile: null }))
      .then(
        () => thread,
        async (error: unknown) => {
          reader = null
          await thread.close()
          throw error
        },
      )
  }

  const written = writer.open({ file, key, readonly: false, lockFile })
  if (needed) reader = startReader()
  try {
    await (reader ?? written)
  } catch (error) {
    await writer.close()
    throw error
  }
  return {
    writer,
    reader: (waits) => {
      needed ||= isNeeded(waits)
      if (needed) reader ??= startReader()
      return reader
    },
    // The writer last: whoever closes last empties the write-ahead log into the file.
    close: async () => {
      await (await reader)?.close()
      await writer.close()
    },
  }
}
