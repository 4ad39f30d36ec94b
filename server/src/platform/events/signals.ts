/**
 * What passes and is kept nowhere: told to all processes, heard by whoever listens at that moment, written to no table
 * and no log, and dropped where there is too much of it.
 */
import type { Database } from '../db/types.ts'

export interface Signal {
  readonly type: string
  readonly data: unknown
}

export interface Signals {
  /** Sends a signal to all who listen to a stream. One that does not get through is gone. */
  send(streamId: string, signal: Signal): void
  /** Gives the function that stops it. */
  listen(streamId: string, hear: (signal: Signal) => void): () => void
  /** Stops listening; resolves when nothing is on its way any more. */
  stop(): Promise<void>
}

const channel = 'signals'
/** So many may be on their way to the other processes; with a database that is slow, others are dropped. */
const mostUnderway = 32
/** What a message between processes may hold. */
const mostBytes = 7000

export const createSignals = ({ database }: { readonly database: Pick<Database, 'listen' | 'notify'> }): Signals => {
  const listeners = new Map<string, Set<(signal: Signal) => void>>()
  const underway = new Set<Promise<void>>()
  const unlisten = database.listen(channel, (message) => {
    const { stream, type, data } = JSON.parse(message) as Signal & { readonly stream: string }
    for (const hear of listeners.get(stream) ?? []) hear({ type, data })
  })
  return {
    send(stream, { type, data }) {
      const message = JSON.stringify({ stream, type, data })
      if (underway.size >= mostUnderway || Buffer.byteLength(message) > mostBytes) return
      const sent = database.notify(channel, message).then(
        () => void underway.delete(sent),
        // Nobody waits for it, and the next one comes soon.
        () => void underway.delete(sent),
      )
      underway.add(sent)
    },
    listen(stream, hear) {
      // A wrapper, so that the same function may listen twice.
      const listener = (signal: Signal): void => hear(signal)
      const all = listeners.get(stream) ?? new Set()
      listeners.set(stream, all.add(listener))
      return () => {
        all.delete(listener)
        if (all.size === 0 && listeners.get(stream) === all) listeners.delete(stream)
      }
    },
    async stop() {
      unlisten()
      listeners.clear()
      await Promise.all(underway)
    },
  }
}
