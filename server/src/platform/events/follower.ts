/** One reader of a stream within this process, and what may wait for it. No I/O. */
import type { Entry } from './types.ts'

/** One reader of a stream: a bounded queue, and a flag that says "read from disk first". */
export interface Follower {
  cursor: number
  /** Whether the stream was there when it was looked for: then it is over once it is gone. */
  seen: boolean
  queue: Entry[]
  /** What the queue weighs, about. */
  weight: number
  behind: boolean
  ended: boolean
  wake: (() => void) | null
}

/** What a slow follower may have waiting in its queue, in characters, before it goes back to reading from disk. */
const queueWeight = 2 ** 20

export const createFollower = (after: number): Follower => ({
  cursor: after,
  seen: false,
  queue: [],
  weight: 0,
  behind: true,
  ended: false,
  wake: null,
})

/** Puts an entry in the queue of a follower that is not behind; with too much there already it falls behind. */
export const queueEntry = (follower: Follower, entry: Entry, weight: number, queueLimit: number): void => {
  if (follower.behind) return
  if (follower.queue.length >= queueLimit || follower.weight > queueWeight) return fallBehind(follower)
  follower.queue.push(entry)
  follower.weight += weight
  wakeFollower(follower)
}

export const fallBehind = (follower: Follower): void => {
  follower.behind = true
  follower.queue = []
  follower.weight = 0
  wakeFollower(follower)
}

/** Lets a follower end once it has read what is there. */
export const endFollower = (follower: Follower): void => {
  follower.ended = true
  wakeFollower(follower)
}

/** Waits until there is something to do for a follower, or the signal aborts. */
export const waitForWork = (follower: Follower): Promise<void> =>
  new Promise((resolve) => {
    follower.wake = resolve
  })

export const wakeFollower = (follower: Follower): void => {
  const { wake } = follower
  if (!wake) return
  follower.wake = null
  wake()
}

/** The texts of an event, two levels deep: that is where its words are, and looking further would cost each event. */
export const estimateSize = (event: unknown, levels = 2): number => {
  if (typeof event === 'string') return event.length
  if (typeof event !== 'object' || event === null || levels < 0) return 8
  let weight = 8
  for (const name in event) weight += estimateSize((event as Record<string, unknown>)[name], levels - 1)
  return weight
}
