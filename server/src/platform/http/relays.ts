/** Streams that a handler worded itself: back-pressure, comments while it is quiet, an end for clients that stall. */
import type { ServerResponse } from 'node:http'

type Piece = string | Uint8Array

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

export const createRelays = ({ heartbeatMs = 15_000, stallMs = 15_000 } = {}): Relays => {
  const open = new Set<Line>()
  const sweepMs = Math.min(stallMs, heartbeatMs) / 3
  const timer = setInterval(() => {
    const now = performance.now()
    for (const line of open) {
      if (line.stalledAt !== null) {
        if (now - line.stalledAt > stallMs) line.response.destroy()
      } else if (line.comment !== null && now - line.writtenAt > heartbeatMs - sweepMs) write(line, line.comment)
    }
  }, sweepMs)
  timer.unref()

  return {
    get size() {
      return open.size
    },
    async send(response, headers, { pieces, first, failed, comment }) {
      const line: Line = { response, comment, writtenAt: performance.now(), stalledAt: null, wake: null }
      open.add(line)
      response.on('drain', () => {
        line.stalledAt = null
        line.wake?.()
      })
      response.once('close', () => {
        open.delete(line)
        line.wake?.()
        // A source that waits for its next piece would not notice otherwise.
        void pieces.return?.()
      })
      response.writeHead(200, headers as Record<string, string>)
      try {
        for (let step = await early(line, first); !step.done; step = await pieces.next()) {
          if (response.destroyed) return
          if (!write(line, step.value)) await drained(line)
        }
        response.end()
      } catch (error) {
        const last = response.destroyed ? null : failed(error)
        if (last === null) response.destroy()
        else response.end(last)
      }
    },
    close: () => clearInterval(timer),
  }
}

/** One client's end. */
interface Line {
  readonly response: ServerResponse
  readonly comment: string | null
  writtenAt: number
  stalledAt: number | null
  wake: (() => void) | null
}

/** The head goes out alone where the first piece is not there yet. */
const early = async (line: Line, first: Promise<IteratorResult<Piece>>): Promise<IteratorResult<Piece>> => {
  const late = setImmediate(() => line.response.flushHeaders())
  try {
    return await first
  } finally {
    clearImmediate(late)
  }
}

/** False when the client has to take what waits first. */
const write = (line: Line, piece: Piece): boolean => {
  const { response } = line
  if (response.destroyed) return true
  line.writtenAt = performance.now()
  if (response.write(piece)) return true
  line.stalledAt ??= line.writtenAt
  return false
}

const drained = async (line: Line): Promise<void> => {
  while (line.stalledAt !== null && !line.response.destroyed) {
    const { promise, resolve } = Promise.withResolvers<void>()
    line.wake = resolve
    await promise
    line.wake = null
  }
}
