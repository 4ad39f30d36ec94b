/** The connection that hears messages and proves that this process lives: its locks end with it. */
import pg from 'pg'
import type { Channels } from '../channels.ts'
import type { DatabaseLog } from '../types.ts'

/** One channel of PostgreSQL carries all of ours, so that a new listener hears from the first moment on. */
export const CHANNEL = 'atrium'
const MIN_WAIT_MS = 100
const MAX_WAIT_MS = 5000

export interface Ear {
  holdPresence(processId: string): Promise<void>
  close(): Promise<void>
}

/** Connects, and connects again whenever the connection breaks. */
export const openEar = async (url: string, channels: Channels, log: DatabaseLog): Promise<Ear> => {
  const wanted = new Set<string>()
  let client: pg.Client | null = null
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'atrium-ear' })
    let broken = false
    const onBreak = (error?: Error): void => {
      if (broken) return
      broken = true
      if (client === fresh) {
        client = null
        log.warn({ err: error }, 'lost the connection that hears from PostgreSQL')
        reconnect(MIN_WAIT_MS)
      }
      fresh.end().catch(() => undefined)
    }
    fresh.on('error', onBreak)
    fresh.on('end', () => onBreak())
    fresh.on('notification', ({ payload = '' }) => {
      const cut = payload.indexOf('\n')
      channels.emit(payload.slice(0, cut), payload.slice(cut + 1))
    })
    try {
      await fresh.connect()
      await fresh.query(`listen ${CHANNEL}`)
    } catch (error) {
      broken = true
      fresh.end().catch(() => undefined)
      throw error
    }
    if (broken) throw new Error('Connection terminated while it was made.')
    client = fresh
    for (const processId of wanted) await hold(processId)
  }

  /** The server may still believe in our last connection, and that it has the lock: then ask again. */
  const hold = async (processId: string): Promise<void> => {
    const current = client
    if (current === null || (await lock(current, processId)) || closed) return
    await new Promise((resolve) => setTimeout(resolve, MIN_WAIT_MS).unref())
    if (current === client) await hold(processId)
  }

  const reconnect = (waitMs: number): void => {
    if (closed) return
    timer = setTimeout(() => void tryAgain(waitMs), waitMs)
  }
  const tryAgain = async (waitMs: number): Promise<void> => {
    try {
      await connect()
      if (closed) await hangUp()
      else channels.emitGap()
    } catch (error) {
      log.warn({ err: error }, 'PostgreSQL cannot be reached')
      reconnect(Math.min(waitMs * 2, MAX_WAIT_MS))
    }
  }
  const hangUp = async (): Promise<void> => {
    const last = client
    client = null
    await last?.end()
  }

  await connect()
  return {
    holdPresence: async (processId) => {
      wanted.add(processId)
      // While there is no connection, the next one takes the lock.
      await hold(processId)
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      await hangUp()
    },
  }
}

/** The number that stands for a process among advisory locks; its only parameter is the id. */
export const LOCK_NUMBER = `hashtextextended('atrium-process:' || $1, 0)`

const lock = async (client: pg.Client, processId: string): Promise<boolean> => {
  const sql = `select pg_try_advisory_lock(${LOCK_NUMBER}) as taken`
  const { rows } = await client.query<{ taken: boolean }>(sql, [processId])
  return rows[0]?.taken === true
}
