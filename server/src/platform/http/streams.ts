/** Server-sent events: many streams, one timer, one socket write per stream and tick, never half a frame. */
import type { ServerResponse } from 'node:http'
import { getHeapStatistics } from 'node:v8'
import { createCrowd } from '../crowd.ts'
import type { Frame } from './area.ts'

type Event = { readonly type: string; readonly data: unknown }

export interface OpenedStream {
  /** Resolves when the stream has ended, however it ended. */
  readonly done: Promise<void>
  /** Ends it after the frames that are ready, with one more if there is something to tell. */
  end(last?: Event): void
}

export interface StreamSource {
  readonly frames: AsyncIterator<Frame<Event>>
  /** The first step of `frames`, already asked for. */
  readonly first: Promise<IteratorResult<Frame<Event>>>
  /** Turns an error into the last event; null when nothing is to be told. */
  readonly failed: (error: unknown) => Event | null
}

export interface Streams {
  /** Writes head and frames to a response that nobody else writes to. */
  open(response: ServerResponse, headers: Readonly<Record<string, unknown>>, source: StreamSource): OpenedStream
  readonly size: number
  /** Ends every stream with a hint when to come back. */
  endAll(): void
  close(): void
}

/**
 * `heartbeatMs`: between comments that keep proxies from closing a quiet stream.
 * `stallMs`: how long a client may leave its buffer full before it is cut off; it resumes by `Last-Event-ID`.
 * `waitingBytes`: what may wait for all clients that do not read; beyond it those are cut off who let most wait.
 */
export const createStreams = ({
  heartbeatMs = 15_000,
  stallMs = 15_000,
  waitingBytes = usualWaiting(),
} = {}): Streams => {
  // In the order in which they were opened.
  const open = new Set<Line>()
  const soon = createRound((run) => setImmediate(run))
  const later = createRound((run) => setTimeout(run, gatherMs))
  const crowd = createCrowd(crowdedPerSecond)
  const push = (line: Line, text: string): void => {
    line.pending += text
    if (line.queued) return
    line.queued = true
    const now = performance.now()
    crowd.count(now, 1)
    // A stream that begins or was quiet is served at once, also in a crowd: its reader waits for the first word.
    const gathers = crowd.isThere && now - line.writtenAt < gatherMs && line.turns > promptTurns
    line.writtenAt = now
    line.turns += 1
    ;(gathers ? later : soon)(line)
  }
  const sweepMs = Math.min(stallMs, heartbeatMs) / 3
  let nextBeat = performance.now() + heartbeatMs
  const timer = setInterval(() => {
    const now = performance.now()
    const beat = now >= nextBeat
    if (beat) nextBeat = now + heartbeatMs - sweepMs / 2
    cutWaiting(open, waitingBytes, now - sweepMs)
    for (const line of open) {
      if (line.stalledAt !== null && now - line.stalledAt > stallMs) line.response.destroy()
      else if (beat && line.stalledAt === null && !line.ended) push(line, ':\n\n')
    }
  }, sweepMs)
  timer.unref()

  const end = (line: Line, last = ''): void => {
    if (line.ended) return
    line.pending += last
    flush(line)
    line.ended = true
    line.response.end()
  }

  return {
    get size() {
      return open.size
    },
    open(response, headers, source) {
      const line: Line = {
        response,
        pending: '',
        queued: false,
        writtenAt: 0,
        turns: 0,
        stalledAt: null,
        ended: false,
        wake: null,
      }
      open.add(line)
      const drained = (): void => {
        line.stalledAt = null
        line.wake?.()
      }
      // What is written past the response, as `writeChunk` does, only the socket tells of.
      const { socket } = response
      response.on('drain', drained)
      socket?.on('drain', drained)
      const gone = Promise.withResolvers<void>()
      response.once('close', () => {
        line.ended = true
        open.delete(line)
        socket?.off('drain', drained)
        line.wake?.()
        gone.resolve()
      })
      response.writeHead(200, { ...headers, ...streamHeaders } as Record<string, string>)
      // The head leaves with the first frames if they are ready by the next tick, and alone if not.
      push(line, '')
      pump(line, source, push).then(
        () => end(line),
        (error: unknown) => {
          const event = line.ended ? null : source.failed(error)
          end(line, event ? textOf(event) : '')
        },
      )
      return { done: gone.promise, end: (last) => end(line, last ? textOf(last) : '') }
    },
    endAll: () => {
      for (const line of open) end(line, 'retry: 1000\n\n')
    },
    close: () => clearInterval(timer),
  }
}

/**
 * For one client this stays near `highWater`, as nothing more is read for it meanwhile; but many clients have many times
 * that. A sixteenth of the heap leaves small machines able to work on.
 */
const usualWaiting = (): number => Math.max(16 * 2 ** 20, getHeapStatistics().heap_size_limit / 16)

/**
 * What one client may let wait for longer than from one look to the next. A larger event needs a moment to go out to who
 * reads, and whoever were cut off in the middle of it would ask for the same event again and again.
 */
const mostPerClient = 2 ** 20

const waitingFor = ({ response, pending }: Line): number => pending.length + (response.socket?.writableLength ?? 0)

/**
 * Cuts clients off who do not read: who has let too much wait since before `since`, and besides, the largest first, until
 * the rest is in bounds.
 */
const cutWaiting = (open: ReadonlySet<Line>, most: number, since: number): void => {
  const stalled = [...open]
    .filter((line) => line.stalledAt !== null)
    .map((line) => ({ line, bytes: waitingFor(line) }))
    .toSorted((a, b) => b.bytes - a.bytes)
  let all = stalled.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { line, bytes } of stalled) {
    if (all <= most && bytes <= mostPerClient) return
    if (all <= most && (line.stalledAt ?? since) > since) continue
    line.response.destroy()
    all -= bytes
  }
}

/** One client's end of a stream. */
interface Line {
  readonly response: ServerResponse
  pending: string
  queued: boolean
  writtenAt: number
  /** How often it was put in line to be written. */
  turns: number
  stalledAt: number | null
  ended: boolean
  wake: (() => void) | null
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** From so many events a second on, those of one stream are gathered for so long: most of the cost is in the writes. */
const crowdedPerSecond = 3000
const gatherMs = 40
/** Head, beginning and first words of a stream never wait. */
const promptTurns = 5

/** Collects streams and flushes them together when their time has come. */
const createRound = (schedule: (run: () => void) => void): ((line: Line) => void) => {
  let lines: Line[] = []
  const run = (): void => {
    const due = lines
    lines = []
    for (const line of due) flush(line)
  }
  return (line) => {
    if (lines.push(line) === 1) schedule(run)
  }
}

/** So much text may wait for the next tick before the source is left alone. */
const highWater = 64 * 1024

const pump = async (line: Line, source: StreamSource, push: (line: Line, text: string) => void): Promise<void> => {
  try {
    for (let step = await source.first; !step.done; step = await source.frames.next()) {
      if (line.ended) return
      const { seq, event } = step.value
      push(line, seq === null ? textOf(event) : `id: ${seq}\n${textOf(event)}`)
      while ((line.stalledAt !== null || line.pending.length > highWater) && !line.ended) await drained(line)
    }
  } finally {
    await source.frames.return?.()
  }
}

const textOf = ({ type, data }: Event): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`

/** Waits until the socket has taken what waited, or the stream is over. */
const drained = async (line: Line): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  line.wake = resolve
  await promise
  line.wake = null
}

const flush = (line: Line): void => {
  line.queued = false
  if (line.ended || line.response.destroyed) return
  if (line.pending === '') return line.response.flushHeaders()
  const text = line.pending
  line.pending = ''
  if (!writeChunk(line.response, text)) line.stalledAt ??= performance.now()
  else if (line.stalledAt === null) line.wake?.()
}

/**
 * Writes one HTTP chunk. `response.write` would hand four pieces to the socket for it, which costs twice as much
 * as one piece; it is left to answer clients of HTTP/1.0, who know no chunks.
 */
const writeChunk = (response: ServerResponse, text: string): boolean => {
  const { socket } = response
  if (!response.chunkedEncoding || !response.headersSent || !socket) return response.write(text)
  response.flushHeaders()
  return socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
}
