/** Bytes on their way to clients: as fast as those take them, and not for ever where they do not. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import type { FastifyReply } from 'fastify'

export interface Downloads {
  /**
   * Answers with the pieces, of which the first was asked for already; their source is left when the answer is over. A
   * piece is asked for when the one before has left the process, whose memory may be given back by then.
   */
  send(reply: FastifyReply, source: DownloadSource): FastifyReply
  close(): void
}

export interface DownloadSource {
  readonly pieces: AsyncIterator<Uint8Array>
  readonly first: IteratorResult<Uint8Array>
  /** Told when the source fails; the connection is cut then, as the client must not take what it has for all. */
  readonly failed: (error: unknown) => void
}

/**
 * `stallMs`: how long a client may take nothing before it is cut off; players that go on later ask for the rest.
 * `waitingBytes`: what may wait for all clients that take nothing; beyond it those are cut off who wait longest.
 */
export const createDownloads = ({ stallMs = 120_000, waitingBytes = usualWaiting() } = {}): Downloads => {
  const open = new Set<Line>()
  const timer = setInterval(
    () => {
      const now = performance.now()
      for (const line of open) line.stalledAt = isStalled(line.response) ? (line.stalledAt ?? now) : null
      for (const line of open) if (line.stalledAt !== null && now - line.stalledAt > stallMs) line.response.destroy()
      cutWaiting(open, waitingBytes)
    },
    Math.min(stallMs / 3, 5000),
  )
  timer.unref()
  return {
    send(reply, source) {
      const response = reply.raw
      const line: Line = { response, stalledAt: null }
      open.add(line)
      const moved = () => {
        line.stalledAt = null
      }
      response.once('close', () => open.delete(line))
      return reply.send(new Outflow(source, moved))
    },
    close: () => clearInterval(timer),
  }
}

/** One client's end. */
interface Line {
  readonly response: ServerResponse
  stalledAt: number | null
}

/** Like what waits for those who follow something. */
const usualWaiting = (): number => Math.max(16 * 2 ** 20, getHeapStatistics().heap_size_limit / 16)

/** Whether the client has yet to take what was written last, however little that is: nothing more is written before. */
const isStalled = (response: ServerResponse): boolean =>
  response.writableEnded ? !response.writableFinished : response.writableLength > 0

/** Twice, as the next piece is read already. */
const waitingFor = ({ response }: Line): number =>
  2 * Math.max(response.writableLength, response.socket?.writableLength ?? 0)

const cutWaiting = (open: ReadonlySet<Line>, most: number): void => {
  const stalled = [...open].filter(({ stalledAt }) => stalledAt !== null)
  let all = stalled.reduce((sum, line) => sum + waitingFor(line), 0)
  for (const line of stalled.toSorted((a, b) => (a.stalledAt ?? 0) - (b.stalledAt ?? 0))) {
    if (all <= most) return
    all -= waitingFor(line)
    line.response.destroy()
  }
}

/**
 * What the framework has flow into the response. A stream of Node asks for more while the response still holds what it
 * gave before; this one asks when that has left the process.
 */
class Outflow extends Readable {
  readonly #source: DownloadSource
  readonly #moved: () => void
  /** `moved`: told each time when a piece has left. */
  constructor(source: DownloadSource, moved: () => void) {
    super({ read: () => undefined })
    this.#source = source
    this.#moved = moved
  }

  override pipe<T extends NodeJS.WritableStream>(response: T): T {
    void this.#flowInto(response)
    return response
  }

  async #flowInto(response: NodeJS.WritableStream): Promise<void> {
    const { pieces } = this.#source
    try {
      for (let step = this.#source.first; !step.done; step = await this.#next()) {
        await write(response, step.value)
        this.#moved()
      }
      response.end()
      this.push(null)
      this.resume()
    } catch (error) {
      this.destroy(error as Error)
    } finally {
      // Of a source that fails when it is left nobody wants to know any more.
      await pieces.return?.().catch(() => undefined)
    }
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    try {
      return await this.#source.pieces.next()
    } catch (error) {
      this.#source.failed(error)
      throw error
    }
  }
}

/** Resolves when the piece has left the process; throws when the response is over before. */
const write = (response: NodeJS.WritableStream, piece: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    const over = () => reject(new Error('The client is gone.'))
    response.once('close', over)
    response.write(piece, (error) => {
      response.off('close', over)
      if (error) reject(error)
      else resolve()
    })
  })
