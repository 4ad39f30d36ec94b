/** Bytes on their way to clients: as fast as those take them, and not for ever where they do not. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import type { FastifyReply } from 'fastify'

export interface Downloads {
  /** Answers with the pieces, of which the first was asked for already; their source is left when the answer is over. */
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
      response.on('drain', () => {
        line.stalledAt = null
      })
      response.once('close', () => open.delete(line))
      return reply.send(Readable.from(goOn(source), { objectMode: false, highWaterMark: 1 }))
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

/** Whether the client has yet to take what was written last. */
const isStalled = (response: ServerResponse): boolean =>
  response.writableEnded ? !response.writableFinished : response.writableNeedDrain

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

async function* goOn({ pieces, first, failed }: DownloadSource): AsyncIterable<Uint8Array> {
  try {
    for (let step = first; !step.done; step = await pieces.next()) yield step.value
  } catch (error) {
    failed(error)
    throw error
  } finally {
    await pieces.return?.()
  }
}
