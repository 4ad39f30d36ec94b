/** Messages between processes, and within this one: who listens to what, and what fits. */
import type { DatabaseLog } from './types.ts'

const MAX_BYTES = 7900

export interface Channels {
  /** Tells every listener of a channel in this process. */
  emit(channel: string, payload: string): void
  /** Tells every listener that messages may have been lost. */
  emitGap(): void
  listen(channel: string, hear: (payload: string) => void, onGap?: () => void): () => void
}

export const createChannels = (log: DatabaseLog): Channels => {
  const listeners = new Map<string, Set<ChannelListener>>()
  const tell = (act: () => void): void => {
    try {
      act()
    } catch (error) {
      // One listener that fails must not keep the others from hearing.
      log.error({ err: error }, 'a listener of the database failed')
    }
  }
  return {
    emit: (channel, payload) => {
      for (const listener of listeners.get(channel) ?? []) tell(() => listener.hear(payload))
    },
    emitGap: () => {
      for (const listener of [...listeners.values()].flatMap((some) => [...some])) tell(() => listener.onGap?.())
    },
    listen: (channel, hear, onGap) => {
      const some = listeners.get(channel) ?? new Set()
      const listener = { hear, onGap }
      listeners.set(channel, some.add(listener))
      return () => {
        some.delete(listener)
        if (some.size === 0 && listeners.get(channel) === some) listeners.delete(channel)
      }
    },
  }
}

/** PostgreSQL carries 8000 bytes at most, so nothing else may either. */
export const checkPayload = (channel: string, payload: string): void => {
  const bytes = Buffer.byteLength(channel) + Buffer.byteLength(payload)
  if (bytes > MAX_BYTES) throw new RangeError(`A message between processes has ${MAX_BYTES} bytes at most.`)
}

interface ChannelListener {
  readonly hear: (payload: string) => void
  readonly onGap: (() => void) | undefined
}
