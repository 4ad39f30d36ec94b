/**
 * A bounded cache in memory: when it is full, the entry that was not used for the longest time makes room. With a
 * channel, processes tell each other what to forget, and forget everything where messages may have been lost.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/types.ts'

export interface CacheOptions {
  /** How many entries it holds. */
  readonly max: number
  /** For how many milliseconds of this clock an entry is used. */
  readonly ttl?: { readonly ms: number; readonly clock: Pick<Clock, 'now'> }
  /** Where processes tell each other what to forget. */
  readonly channel?: { readonly name: string; readonly database: Pick<Database, 'listen' | 'notify'> }
}

export interface Cache<V extends object | string | number | boolean> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  /**
   * The entry, or what `read` gives; those who ask while it is read wait for the same answer. A failure is not kept, and
   * neither is what was forgotten meanwhile.
   */
  load(key: string, read: () => Promise<V>): Promise<V>
  /** Removes an entry, or all, in this process. */
  forget(key?: string): void
  /** The same in all processes: in this one at once, in the others when they hear of it. */
  forgetEverywhere(key?: string): Promise<void>
  /** Stops listening. */
  close(): void
}

/** On a channel, an empty text stands for all entries. */
const everything = ''

export const createCache = <V extends object | string | number | boolean>(options: CacheOptions): Cache<V> => {
  const { max, ttl, channel } = options
  // Made for the first entry: the library takes the room for all of them at once.
  let made: LRUCache<string, V> | null = null
  const entries = (): LRUCache<string, V> =>
    (made ??= new LRUCache({
      max,
      // The library uses an entry up to and including its last millisecond.
      ...(ttl ? { ttl: ttl.ms - 1, ttlResolution: 0, perf: ttl.clock } : {}),
    }))
  const reading = new Map<string, Promise<V>>()

  const forget = (key?: string): void => {
    if (key === undefined || key === everything) {
      made?.clear()
      reading.clear()
    } else {
      made?.delete(key)
      reading.delete(key)
    }
  }
  const stop = channel?.database.listen(channel.name, forget, () => forget())

  const readOnce = (key: string, read: () => Promise<V>): Promise<V> => {
    const answer = read().then((value) => {
      if (reading.get(key) === answer) entries().set(key, value)
      return value
    })
    const done = (): void => {
      if (reading.get(key) === answer) reading.delete(key)
    }
    reading.set(key, answer)
    answer.then(done, done)
    return answer
  }

  return {
    get: (key) => made?.get(key),
    set: (key, value) => void entries().set(key, value),
    async load(key, read) {
      return made?.get(key) ?? (await (reading.get(key) ?? readOnce(key, read)))
    },
    forget,
    async forgetEverywhere(key) {
      forget(key)
      await channel?.database.notify(channel.name, key ?? everything)
    },
    close: () => stop?.(),
  }
}
