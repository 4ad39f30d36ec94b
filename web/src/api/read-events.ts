/** Reads the event stream of a route that does something when it is called. */
import type { Call, EventOf, Route } from '@atrium/contract/route'
import { send } from './client.ts'
import { Problem } from './errors.ts'
import { createEventParser } from './event-stream.ts'
import { readPieces, watchHeartbeat } from './follow.ts'

/**
 * Calls the route once and hands over its events as they come, those that came together at once. Resolves after the last
 * one. Throws `Problem` where the server refuses or the stream breaks off (it is not taken up again, as `follow` would),
 * or the abort of `signal`, which has the server stop as well.
 */
export async function readEvents<R extends Route>(
  route: R,
  input: Call<R>,
  options: {
    signal: AbortSignal
    onEvents: (events: EventOf<R>[]) => void
    isLast: (event: EventOf<R>) => boolean
  },
): Promise<void> {
  const { signal } = options
  const watched = watchHeartbeat(signal)
  try {
    const response = await send(route, input, { signal: watched.signal })
    const parse = createEventParser()
    for await (const piece of readPieces(response)) {
      watched.beat()
      const events = parse(piece).map(({ type, data }) => {
        if (type !== 'error') return { type, data } as EventOf<R>
        const { code, detail } = data as { code: string; detail: string }
        throw new Problem(code, detail)
      })
      const last = events.findIndex(options.isLast)
      if (events.length) options.onEvents(last < 0 ? events : events.slice(0, last + 1))
      if (last >= 0) return
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SyntaxError) throw new Problem('bad_answer', '')
    throw error instanceof Problem ? error : new Problem('offline', '')
  } finally {
    watched.stop()
  }
  signal.throwIfAborted()
  throw new Problem('offline', '')
}
