/** Server-sent events: many streams, one timer, never half a frame. */
import type { ServerResponse } from 'node:http'
import { getHeapStatistics } from 'node:v8'
import type { Frame } from './area.ts'
import { createOutlets, endOutlet, type Outlet, type Outlets, waitForRoom } from './outlets.ts'

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
  outlets = createOutlets(),
} = {}): Streams => {
  // In the order in which they were opened.
  const open = new Set<Outlet>()
  const sweepMs = Math.min(stallMs, heartbeatMs) / 3
  let nextBeat = performance.now() + heartbeatMs
  const timer = setInterval(() => {
    const now = performance.now()
    const beat = now >= nextBeat
    if (beat) nextBeat = now + heartbeatMs - sweepMs / 2
    cutWaiting(open, waitingBytes, now - sweepMs)
    for (const outlet of open) {
      if (outlet.stalledAt !== null && now - outlet.stalledAt > stallMs) outlet.response.destroy()
      else if (beat && outlet.stalledAt === null && !outlet.ended) outlets.push(outlet, ':\n\n')
    }
  }, sweepMs)
  timer.unref()

  return {
    get size() {
      return open.size
    },
    open(response, headers, source) {
      const gone = Promise.withResolvers<void>()
      const outlet = outlets.open(response, { ...headers, ...streamHeaders })
      open.add(outlet)
      response.once('close', () => {
        open.delete(outlet)
        gone.resolve()
      })
      pump(outlets, outlet, source).then(
        () => endOutlet(outlet),
        (error: unknown) => {
          const event = outlet.ended ? null : source.failed(error)
          endOutlet(outlet, event ? textOf(event) : '')
        },
      )
      return { done: gone.promise, end: (last) => endOutlet(outlet, last ? textOf(last) : '') }
    },
    endAll: () => {
      for (const outlet of open) endOutlet(outlet, 'retry: 1000\n\n')
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

const waitingFor = ({ response, waiting }: Outlet): number => waiting + (response.socket?.writableLength ?? 0)

/**
 * Cuts clients off who do not read: who has let too much wait since before `since`, and besides, the largest first, until
 * the rest is in bounds.
 */
const cutWaiting = (open: ReadonlySet<Outlet>, most: number, since: number): void => {
  const stalled = [...open]
    .filter((outlet) => outlet.stalledAt !== null)
    .map((outlet) => ({ outlet, bytes: waitingFor(outlet) }))
    .toSorted((a, b) => b.bytes - a.bytes)
  let all = stalled.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { outlet, bytes } of stalled) {
    if (all <= most && bytes <= mostPerClient) return
    if (all <= most && (outlet.stalledAt ?? since) > since) continue
    outlet.response.destroy()
    all -= bytes
  }
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

const pump = async (outlets: Outlets, outlet: Outlet, source: StreamSource): Promise<void> => {
  try {
    for (let step = await source.first; !step.done; step = await source.frames.next()) {
      if (outlet.ended) return
      const { seq, event } = step.value
      outlets.push(outlet, `id: ${seq}\n${textOf(event)}`)
      await waitForRoom(outlet)
    }
  } finally {
    await source.frames.return?.()
  }
}

const textOf = ({ type, data }: Event): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
