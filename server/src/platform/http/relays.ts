/** Streams that a handler worded itself: back-pressure, comments while it is quiet, an end for clients that stall. */
import type { ServerResponse } from 'node:http'
import { createOutlets, endOutlet, flushOutlet, type Outlet, type Piece, waitForRoom } from './outlets.ts'

export interface RelaySource {
  readonly pieces: AsyncIterator<Piece>
  /** The first step of `pieces`, already asked for. */
  readonly first: Promise<IteratorResult<Piece>>
  /** The last words for an error; null cuts the connection. */
  readonly failed: (error: unknown) => string | null
  /** What is put between pieces while it is quiet; null: nothing may be. */
  readonly comment: string | null
}

export interface Relays {
  /** Writes head and pieces to a response that nobody else writes to; resolves when it is over, however it ended. */
  send(response: ServerResponse, headers: Readonly<Record<string, unknown>>, source: RelaySource): Promise<void>
  readonly size: number
  close(): void
}

export const createRelays = ({ heartbeatMs = 15_000, stallMs = 15_000, outlets = createOutlets() } = {}): Relays => {
  /** With what is put between their pieces. */
  const open = new Map<Outlet, string | null>()
  const sweepMs = Math.min(stallMs, heartbeatMs) / 3
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [outlet, comment] of open) {
      if (outlet.stalledAt !== null) {
        if (now - outlet.stalledAt > stallMs) outlet.response.destroy()
      } else if (comment !== null && now - outlet.writtenAt > heartbeatMs - sweepMs) outlets.push(outlet, comment)
    }
  }, sweepMs)
  timer.unref()

  return {
    get size() {
      return open.size
    },
    async send(response, headers, { pieces, first, failed, comment }) {
      const outlet = outlets.open(response, headers)
      open.set(outlet, comment)
      response.once('close', () => {
        open.delete(outlet)
        // A source that waits for its next piece would not notice otherwise.
        void pieces.return?.()
      })
      try {
        for (let step = await first; !step.done; step = await pieces.next()) {
          if (outlet.ended) return
          outlets.push(outlet, step.value)
          await waitForRoom(outlet)
        }
        endOutlet(outlet)
      } catch (error) {
        const last = outlet.ended ? null : failed(error)
        if (last !== null) return endOutlet(outlet, last)
        flushOutlet(outlet)
        response.destroy()
      }
    },
    close: () => clearInterval(timer),
  }
}
