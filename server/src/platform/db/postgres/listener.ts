/** The connection that listens and proves that this process lives: its locks end with it, and it tells that it is there. */
import pg from 'pg'
import type { Channels } from '../channels.ts'
import type { DatabaseLog } from '../types.ts'
import { shareDatabase } from './hold.ts'

/** One channel of PostgreSQL carries all of ours, so that a new listener hears from the first moment on. */
export const CHANNEL = 'atrium'
/** Ours for heartbeats; nobody else listens to it. */
const ALIVE = 'alive'
const MIN_WAIT_MS = 100
/** Others take a process for gone when its heartbeats are missing for longer than this, so it comes back sooner. */
const MAX_WAIT_MS = 500
/** Whoever does not get through within this has a broken connection, or a server that stands still. */
const CONNECT_MS = 5_000
/** Shorter than the silence after which others take over, so that a broken connection is noticed on this side first. */
const QUERY_MS = 4_000
/** The server lets go of the locks of a machine that vanished after 10 + 3 × 5 s; its own default is two hours. */
const KEEPALIVES = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3'

export interface Listener {
  holdPresence(processId: string): Promise<void>
  /** Whether this process holds presence under an id. */
  holds(processId: string): boolean
  /** The connection as it is now, null while there is none: two looks at the same one had nothing missing in between. */
  whole(): ConnectionBeats | null
  close(): Promise<void>
}

/** What was heard on one connection. */
export interface ConnectionBeats {
  /** Own heartbeats since it began. Time is counted in them: a process that was held up itself accuses nobody. */
  readonly beats: number
  /**
   * The beat at which another process was heard last. One that was never heard counts from the first time that somebody
   * asks about it: it may have just begun, which is not the same as silent.
   */
  heardAt(processId: string): number
}

/** Connects, and connects again whenever the connection breaks. `lock`: for as long as no command has the database for itself. */
export const openListener = async (
  url: string,
  channels: Channels,
  log: DatabaseLog,
  { beatMs, lock: shares }: { readonly beatMs: number; readonly lock: boolean },
): Promise<Listener> => {
  const wanted = new Set<string>()
  let current: Line | null = null
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: 'atrium-listener',
      options: KEEPALIVES,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS,
    })
    const line = createLine(client)
    let broken = false
    const onBreak = (error?: unknown): void => {
      if (broken) return
      broken = true
      clearTimeout(line.timer)
      client.end().catch(() => undefined)
      if (current !== line) return
      current = null
      log.warn({ err: error }, 'lost the connection that hears from PostgreSQL')
      reconnect(MIN_WAIT_MS)
    }
    client.on('error', onBreak)
    client.on('end', () => onBreak())
    client.on('notification', ({ payload = '' }) => {
      const cut = payload.indexOf('\n')
      const [channel, message] = [payload.slice(0, cut), payload.slice(cut + 1)]
      if (channel === ALIVE) line.heard.set(message, line.beats)
      else channels.emit(channel, message)
    })
    try {
      await client.connect()
      if (shares) await shareDatabase(client)
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      onBreak(error)
      throw error
    }
    if (broken) throw new Error('Connection terminated while it was made.')
    current = line
    const beat = async (): Promise<void> => {
      const told = [...wanted].map((id) => `pg_notify('${CHANNEL}', ${client.escapeLiteral(`${ALIVE}\n${id}`)})`)
      await client.query(`select ${told.join(', ') || '1'}`)
      line.beats += 1
      if (!broken) line.timer = setTimeout(() => void beat().catch(onBreak), beatMs).unref()
    }
    void beat().catch(onBreak)
    for (const processId of wanted) void hold(line, processId).catch(onBreak)
  }

  /** The server may still hold our last connection open, and its lock with it: then ask again. */
  const hold = async (line: Line, processId: string): Promise<void> => {
    while (line === current && !closed && !(await lock(line.client, processId)))
      await new Promise((resolve) => setTimeout(resolve, MIN_WAIT_MS).unref())
  }

  const reconnect = (waitMs: number): void => {
    if (!closed) timer = setTimeout(() => void tryAgain(waitMs), waitMs)
  }
  const tryAgain = async (waitMs: number): Promise<void> => {
    try {
      await connect()
    } catch (error) {
      log.warn({ err: error }, 'PostgreSQL cannot be reached')
      reconnect(Math.min(waitMs * 2, MAX_WAIT_MS))
      return
    }
    if (closed) await hangUp()
    else channels.emitGap()
  }
  const hangUp = async (): Promise<void> => {
    const last = current
    current = null
    clearTimeout(last?.timer)
    await last?.client.end()
  }

  await connect()
  return {
    holdPresence: async (processId) => {
      wanted.add(processId)
      // While there is no connection, the next one takes the lock.
      if (current) await hold(current, processId)
    },
    holds: (processId) => wanted.has(processId),
    whole: () => current,
    close: async () => {
      closed = true
      clearTimeout(timer)
      await hangUp()
    },
  }
}

interface Line extends ConnectionBeats {
  readonly client: pg.Client
  readonly heard: Map<string, number>
  beats: number
  timer: NodeJS.Timeout | undefined
}

const createLine = (client: pg.Client): Line => {
  const heard = new Map<string, number>()
  return {
    client,
    heard,
    beats: 0,
    timer: undefined,
    heardAt(processId) {
      const at = heard.get(processId) ?? this.beats
      heard.set(processId, at)
      return at
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
