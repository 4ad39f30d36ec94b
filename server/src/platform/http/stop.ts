/** The way down: nothing new, streams end whole, what runs may finish, and then the doors close. */
import type { FastifyInstance } from 'fastify'
import type { Gone } from './gone.ts'
import type { Silent } from './silent.ts'
import type { Streams } from './streams.ts'

/**
 * Closes the server. Requests in flight have `graceMs`; then their signals abort, and a second later
 * the connections that are still open are cut.
 */
export const stopServer = async (
  server: FastifyInstance,
  { streams, gone, silent, graceMs }: { streams: Streams; gone: Gone; silent: Silent; graceMs: number },
): Promise<void> => {
  streams.endAll()
  const closed = server.close()
  // A kept connection becomes idle only after its last answer, so it is looked for until all are gone.
  const idle = setInterval(() => {
    server.server.closeIdleConnections()
    silent.cut()
  }, 20)
  const abort = setTimeout(() => gone.abortAll(), graceMs)
  const cut = setTimeout(() => server.server.closeAllConnections(), graceMs + 1000)
  await closed
  clearInterval(idle)
  clearTimeout(abort)
  clearTimeout(cut)
  streams.close()
}
