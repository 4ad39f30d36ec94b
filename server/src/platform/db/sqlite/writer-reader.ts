/** The two threads of a database file: one writes, one reads beside it as soon as there is more than a little to read. */
import { setImmediate as breathe } from 'node:timers/promises'
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
  /** Have a reader only while there is more to read than a server asks itself when nobody visits it. */
  readonly frugal: boolean
  /** Milliseconds without that much to read, after which a frugal reader ends. */
  readonly quietMs?: number
  /** Hears when the file proves damaged; gives the error to throw. */
  readonly onDamage: (code: string) => DatabaseDamagedError
  readonly log: DatabaseLog
}

/** So many reads within a second mean that somebody is here. A thread takes some 11 MB, so an idle server has but one. */
const fewReads = 20
const fewMs = 1000
const usualQuietMs = 10_000

/**
 * Starts the writer, and the reader at once or when it is needed; the reader opens the file when the writer has made it.
 * A reader that dies (of a result too large for its memory, say) is replaced; a writer is not.
 */
export const openWriterReader = async ({
  file,
  key,
  lockFile,
  frugal,
  quietMs = usualQuietMs,
  onDamage,
  log,
}: WriterReaderOptions): Promise<WriterReader> => {
  const writer = startThread(
    (error) => log.error({ err: error }, 'the writing thread of the database has ended'),
    undefined,
    onDamage,
  )
  let reader: Promise<Thread> | null = null
  let isReady = false
  let ending: Promise<void> = Promise.resolve()
  let needed = !frugal
  let neededAt = performance.now()
  let reads = 0
  let since = neededAt

  const isNeeded = (waits: boolean): boolean => {
    const now = performance.now()
    if (now - since > fewMs) [reads, since] = [0, now]
    reads += 1
    const much = waits || reads > fewReads
    if (much) neededAt = now
    return much
  }
  const startReader = (): Promise<Thread> => {
    const thread = startThread(
      (error) => {
        log.error({ err: error }, 'a reading thread of the database has ended')
        reader = null
        isReady = false
      },
      undefined,
      onDamage,
    )
    return written
      .then(() => thread.open({ file, key, readonly: true, lockFile: null }))
      .then(
        () => {
          isReady = true
          return thread
        },
        async (error: unknown) => {
          reader = null
          await thread.close()
          throw error
        },
      )
  }
  const startBeside = (): Promise<Thread> => {
    const starting = startReader()
    // Nobody may be waiting for it.
    starting.catch((error: unknown) => log.error({ err: error }, 'a reading thread of the database did not start'))
    return starting
  }

  /** Ends the reader when nobody is there any more; what it was asked before it still answers. */
  const endQuietReader = async (): Promise<void> => {
    const quiet = reader
    if (!needed || quiet === null || performance.now() - neededAt < quietMs) return
    const thread = await quiet
    // It may have been needed, replaced or closed meanwhile.
    if (reader !== quiet || performance.now() - neededAt < quietMs) return
    needed = false
    isReady = false
    reader = null
    // Who has just been given it asks first.
    ending = breathe().then(() => thread.close())
    await ending
  }
  const lookForQuiet = (): void => {
    endQuietReader().catch((error: unknown) => log.warn({ err: error }, 'a reading thread did not end'))
  }
  const look = frugal ? setInterval(lookForQuiet, quietMs / 4).unref() : undefined

  const written = writer.open({ file, key, readonly: false, lockFile })
  if (needed) reader = startReader()
  try {
    await (reader ?? written)
  } catch (error) {
    clearInterval(look)
    await writer.close()
    throw error
  }
  return {
    writer,
    reader: (waits) => {
      const much = isNeeded(waits)
      needed ||= much
      if (needed) reader ??= startBeside()
      // Until it has opened the file the writer is sooner there, unless that has other things to do.
      return isReady || waits ? reader : null
    },
    // The writer last: whoever closes last empties the write-ahead log into the file.
    close: async () => {
      clearInterval(look)
      await Promise.allSettled([ending])
      await (await reader)?.close()
      await writer.close()
    },
  }
}
