/** A database that goes away and comes back, for tests: the file takes no writes, the server cannot be reached or stands still. */
import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'
import { sql } from 'kysely'
import type { Database } from '../platform/db/index.ts'

export interface Link {
  /** The address to use in place of the server's. */
  readonly url: string
  /** Breaks what is open, and lets nobody through. */
  cut(): void
  /** Passes nothing on any more and says nothing about it, as a cable that was pulled or a process that stands still. */
  freeze(): void
  /** Lets everybody through again, with what was held back meanwhile. */
  restore(): void
  /** How many connections were made to it. */
  opened(): number
  close(): Promise<void>
}

/** A way to a PostgreSQL server that can fail. */
export const linkTo = async (serverUrl: string): Promise<Link> => {
  const target = new URL(serverUrl)
  const pairs = new Set<readonly [Socket, Socket]>()
  let state: 'open' | 'cut' | 'frozen' = 'open'
  let opened = 0
  const server = createServer((client) => {
    opened += 1
    if (state === 'cut') return void client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    const pair = [client, upstream] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [upstream, client]] as const) {
      from.pipe(to)
      if (state === 'frozen') from.pause()
      from.on('error', () => undefined)
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.port = String((server.address() as { port: number }).port)
  const breakAll = (): void => {
    for (const [client, upstream] of pairs) {
      client.destroy()
      upstream.destroy()
    }
  }
  return {
    url: url.href,
    cut: () => {
      state = 'cut'
      breakAll()
    },
    freeze: () => {
      state = 'frozen'
      for (const socket of [...pairs].flat()) socket.pause()
    },
    restore: () => {
      state = 'open'
      for (const socket of [...pairs].flat()) socket.resume()
    },
    opened: () => opened,
    close: async () => {
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Has a SQLite database refuse all writes, or take them again. */
export const setReadOnly = async (database: Database, isReadOnly: boolean): Promise<void> => {
  await sql.raw(`pragma query_only = ${isReadOnly ? 'on' : 'off'}`).execute(database.tables())
}
