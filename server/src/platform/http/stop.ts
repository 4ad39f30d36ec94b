/** Stops the server: nothing new is accepted, streams end whole, what runs may finish, and then connections close. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { AbortRegistry } from './abort.ts'
import type { UnusedConnections } from './unused-connections.ts'
import type { Streams } from './streams.ts'

/** How often it is looked whether streams still end by themselves, and how long at most. */
const lookMs = 25
const wordsMs = 2000

/**
 * Waits until what is followed has ended (for `graceMs` at most), and then for as long as streams end by themselves: each
 * has its own last event to tell, and what is cut off before that looks like a lost connection.
 */
export const lastWords = async (
  streams: Pick<Streams, 'size'>,
  ended: Promise<void>,
  graceMs: number,
): Promise<void> => {
  // Whether it failed is the business of whoever waits for it to the end.
  await Promise.race([ended.catch(() => undefined), sleep(graceMs, undefined, { ref: false })])
  const since = performance.now()
  for (let before = -1; before !== streams.size && performance.now() - since < wordsMs; ) {
    before = streams.size
    await sleep(lookMs)
  }
}

/**
 * Closes the server. Requests in flight have `graceMs`; then their signals abort, and a second later
 * the connections that are still open are cut.
 */
export const stopServer = async (
  server: FastifyInstance,
  {
    streams,
    aborts,
    unused,
    graceMs,
  }: { streams: Streams; aborts: AbortRegistry; unused: UnusedConnections; graceMs: number },
): Promise<void> => {
  streams.endAll()
  const closed = server.close()
  // A kept connection becomes idle only after its last answer, so it is looked for until all are gone.
  const idle = setInterval(() => {
    server.server.closeIdleConnections()
    unused.cut()
  }, 20)
  const abort = setTimeout(() => aborts.abortAll(), graceMs)
  const cut = setTimeout(() => server.server.closeAllConnections(), graceMs + 1000)
  await closed
  clearInterval(idle)
  clearTimeout(abort)
  clearTimeout(cut)
  streams.close()
}
