/** The threads of a database file: one writes, others read beside it as soon as there is more than a little to read. */
import { setImmediate as breathe } from 'node:timers/promises'
import type { DatabaseDamagedError } from '../errors.ts'
import type { DatabaseLog } from '../types.ts'
import { longMs, openReaders, type Readers } from './readers.ts'
import { startThread, type Thread } from './thread.ts'

export interface WriterReader {
  readonly writer: Thread
  /** Who reads now; null when the writer may do that as well. `waits`: the writer has other things to do. */
  readers(waits: boolean): Promise<Readers> | null
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
  let readers: Promise<Readers> | null = null
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
  const startReader = async (onDeath: () => void): Promise<Thread> => {
    const thread = startThread(
      (error) => {
        log.error({ err: error }, 'a reading thread of the database has ended')
        onDeath()
      },
      undefined,
      onDamage,
    )
    try {
      await written
      await thread.open({ file, key, readonly: true, lockFile: null })
      return thread
    } catch (error) {
      await thread.close()
      throw error
    }
  }
  const forget = (): void => {
    readers = null
    isReady = false
  }
  const startReaders = async (): Promise<Readers> => {
    try {
      const opened = await openReaders({ start: startReader, onEnd: forget, quietMs, log })
      isReady = true
      return opened
    } catch (error) {
      forget()
      throw error
    }
  }
  const startBeside = (): Promise<Readers> => {
    const starting = startReaders()
    // Nobody may be waiting for it.
    starting.catch((error: unknown) => log.error({ err: error }, 'a reading thread of the database did not start'))
    return starting
  }

  /** Ends the readers when nobody is there any more; what they were asked before they still answer. */
  const endQuietReaders = async (): Promise<void> => {
    const quiet = readers
    if (!needed || quiet === null || performance.now() - neededAt < quietMs) return
    const quietReaders = await quiet
    // It may have been needed, replaced or closed meanwhile.
    if (readers !== quiet || performance.now() - neededAt < quietMs) return
    needed = false
    isReady = false
    readers = null
    // Who has just been given them asks first.
    ending = breathe().then(() => quietReaders.close())
    await ending
  }
  const lookForQuiet = (): void => {
    endQuietReaders().catch((error: unknown) => log.warn({ err: error }, 'a reading thread did not end'))
  }
  const look = frugal ? setInterval(lookForQuiet, quietMs / 4).unref() : undefined

  const written = writer.open({ file, key, readonly: false, lockFile })
  if (needed) readers = startReaders()
  try {
    await (readers ?? written)
  } catch (error) {
    clearInterval(look)
    await writer.close()
    throw error
  }
  return {
    writer,
    readers: (waits) => {
      const isHeldUp = waits || writer.silentMs() > longMs
      const much = isNeeded(isHeldUp)
      needed ||= much
      if (needed) readers ??= startBeside()
      // Until it has opened the file the writer is sooner there, unless that has other things to do.
      return isReady || isHeldUp ? readers : null
    },
    // The writer last: whoever closes last empties the write-ahead log into the file.
    close: async () => {
      clearInterval(look)
      await Promise.allSettled([ending])
      await (await readers)?.close()
      await writer.close()
    },
  }
}
