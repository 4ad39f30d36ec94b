/** Server-sent events: many streams, one timer, one socket write per stream and tick, never half a frame. */
import type { ServerResponse } from 'node:http'
import type { Frame } from './area.ts'

type Event = { readonly type: string; readonly data: unknown }

export interface OpenedStream {
  /** Resolves when the stream has ended, however it ended. */
  readonly done: Promise<void>
  /** Ends it after the frames that are ready. */
  end(): void
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
 */
export const createStreams = ({ heartbeatMs = 15_000, stallMs = 15_000 } = {}): Streams => {
  const open = new Set<Line>()
  let dirty: Line[] = []
  const flushAll = (): void => {
    const lines = dirty
    dirty = []
    for (const line of lines) flush(line)
  }
  const push = (line: Line, text: string): void => {
    line.pending += text
    if (line.queued) return
    line.queued = true
    if (dirty.push(line) === 1) setImmediate(flushAll)
  }
  const sweepMs = Math.min(stallMs, heartbeatMs) / 3
  let nextBeat = performance.now() + heartbeatMs
  const timer = setInterval(() => {
    const now = performance.now()
    const beat = now >= nextBeat
    if (beat) nextBeat = now + heartbeatMs - sweepMs / 2
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
      const line: Line = { response, pending: '', queued: false, stalledAt: null, ended: false, wake: null }
      open.add(line)
      response.on('drain', () => {
        line.stalledAt = null
        line.wake?.()
      })
      const gone = Promise.withResolvers<void>()
      response.once('close', () => {
        line.ended = true
        open.delete(line)
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
          end(line, event ? `event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n` : '')
        },
      )
      return { done: gone.promise, end: () => end(line) }
    },
    endAll: () => {
      for (const line of open) end(line, 'retry: 1000\n\n')
    },
    close: () => clearInterval(timer),
  }
}

/** One client's end of a stream. */
interface Line {
  readonly response: ServerResponse
  pending: string
  queued: boolean
  stalledAt: number | null
  ended: boolean
  wake: (() => void) | null
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** So much text may wait for the next tick before the source is left alone. */
const highWater = 64 * 1024

const pump = async (line: Line, source: StreamSource, push: (line: Line, text: string) => void): Promise<void> => {
  try {
    for (let step = await source.first; !step.done; step = await source.frames.next()) {
      if (line.ended) return
      const { seq, event } = step.value
      push(line, `id: ${seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`)
      while ((line.stalledAt !== null || line.pending.length > highWater) && !line.ended) await room(line)
    }
  } finally {
    await source.frames.return?.()
  }
}

/** Waits until the socket has taken what waited, or the stream is over. */
const room = async (line: Line): Promise<void> => {
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
  if (!line.response.write(text)) line.stalledAt ??= performance.now()
  else if (line.stalledAt === null) line.wake?.()
}
