/** Follows a stream of the server and takes it up again where it broke off. */
import type { Call, EventOf, Route } from '@atrium/contract/route'
import { eventStream } from '@atrium/contract/request'
import { send } from './client.ts'
import { Problem } from './errors.ts'
import { createEventParser } from './event-stream.ts'

/** An event with its place in the stream. */
export type StreamedEvent<E> = E & { readonly id: number }
export type FollowState = 'connecting' | 'open' | 'waiting'

export interface FollowOptions<E> {
  /** Ends the following; the promise then resolves with `aborted`. */
  signal: AbortSignal
  /** The last event that is known already; only later ones come. */
  after?: number
  onEvents: (events: StreamedEvent<E>[]) => void
  /** Takes what has no place in the stream itself. */
  onNotice?: (notice: E) => void
  /** Tells whether this event is the last of its stream; a stream without an end leaves it out. */
  isLast?: (event: E) => boolean
  onState?: (state: FollowState) => void
  /** Hands events over at most once for each frame on screen, so that a fast stream paints evenly. */
  perFrame?: boolean
}

/**
 * Reads the events of a `get` route until the last one, each exactly once and in order, across broken connections.
 * `input` as a function is asked at each try. Resolves with how it ended; throws `Problem` where the server refuses (404, say). Takes no part in the query cache.
 */
export async function follow<R extends Route>(
  route: R,
  input: Call<R> | (() => Call<R>),
  options: FollowOptions<EventOf<R>>,
): Promise<'ended' | 'aborted'> {
  const { signal } = options
  const outlet = options.perFrame ? byFrame(options.onEvents) : { push: options.onEvents, flush: () => {} }
  let last = options.after
  let failures = 0
  try {
    while (!signal.aborted) {
      options.onState?.('connecting')
      let gaveWay = false
      const watched = watchHeartbeat(signal)
      try {
        const headers = { accept: eventStream, ...(last === undefined ? {} : { 'last-event-id': String(last) }) }
        const asked = typeof input === 'function' ? (input as () => Call<R>)() : input
        const response = await send(route, asked, { signal: watched.signal, headers })
        options.onState?.('open')
        const parse = createEventParser()
        for await (const piece of readPieces(response)) {
          watched.beat()
          const fresh: StreamedEvent<EventOf<R>>[] = []
          let over = false
          for (const event of parse(piece)) {
            gaveWay ||= event.id === null && event.type === 'replaced'
            if (event.id === null) options.onNotice?.({ type: event.type, data: event.data } as EventOf<R>)
            // After a resume some servers repeat the event that was named; a place that is gone begins anew, maybe lower.
            if (event.id === null || (last !== undefined && event.id <= last && event.type !== 'reset')) continue
            last = event.id
            failures = 0
            const followed = { type: event.type, data: event.data, id: event.id } as unknown as StreamedEvent<
              EventOf<R>
            >
            fresh.push(followed)
            if (options.isLast?.(followed)) {
              over = true
              break
            }
          }
          if (fresh.length) outlet.push(fresh)
          if (over) return 'ended'
        }
      } catch (error) {
        if (signal.aborted) break
        if (error instanceof Problem && !passes(error)) throw error
        if (error instanceof SyntaxError) throw new Problem('bad_answer', '')
        if (error instanceof Problem && error.retryAfterMs) await pauseAtMost(error.retryAfterMs, signal)
      } finally {
        watched.stop()
      }
      if (signal.aborted) break
      if (gaveWay) {
        await pauseInCrowd(signal)
        continue
      }
      options.onState?.('waiting')
      await pauseAtMost(Math.min(8000, 300 * 2 ** failures++) * (0.75 + Math.random() / 2), signal)
    }
    return 'aborted'
  } finally {
    outlet.flush()
  }
}

/** Until a page that gave way asks again, unless it is looked at before: what it missed comes then. */
const crowdedMs = 30_000
const hiddenMs = 10 * 60_000

/** Newer pages took the place of this one; back at once, it would only push one of them out. */
export const pauseInCrowd = (signal: AbortSignal): Promise<void> =>
  pauseAtMost(document.visibilityState === 'hidden' ? hiddenMs : crowdedMs, signal)

const passes = (problem: Problem) => problem.code === 'offline' || problem.status >= 500 || problem.status === 429

export async function* readPieces(response: Response): AsyncGenerator<Uint8Array> {
  if (!response.body) return
  const reader = response.body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

/** Gives up a connection that has been silent for three heartbeats of the server. */
export function watchHeartbeat(outer: AbortSignal) {
  const own = new AbortController()
  const abort = () => own.abort()
  outer.addEventListener('abort', abort)
  let timer = setTimeout(abort, silenceMs)
  return {
    signal: own.signal,
    beat() {
      clearTimeout(timer)
      timer = setTimeout(abort, silenceMs)
    },
    stop() {
      clearTimeout(timer)
      outer.removeEventListener('abort', abort)
      own.abort()
    },
  }
}
export const silenceMs = 45_000

/** Waits, but goes on at once when the network or the person comes back, or `signal` is aborted. */
export function pauseAtMost(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      removeEventListener('online', done)
      removeEventListener('focus', done)
      document.removeEventListener('visibilitychange', seen)
      resolve()
    }
    const seen = () => document.visibilityState === 'visible' && done()
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
    addEventListener('online', done)
    // Of windows side by side all are visible, and one is looked at.
    addEventListener('focus', done)
    document.addEventListener('visibilitychange', seen)
  })
}

function byFrame<E>(give: (events: E[]) => void) {
  let waiting: E[] = []
  let frame = 0
  const flush = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = 0
    const events = waiting
    waiting = []
    if (events.length) give(events)
  }
  // Hidden tabs get no frames; they still have to keep up.
  let timer: ReturnType<typeof setTimeout>
  return {
    push(events: E[]) {
      waiting.push(...events)
      if (frame) return
      frame = requestAnimationFrame(flush)
      timer = setTimeout(flush, 250)
    },
    flush,
  }
}
