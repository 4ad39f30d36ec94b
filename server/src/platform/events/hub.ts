/** Who writes and who follows within this process. No I/O. */
import type { Keyring } from '../vault/types.ts'
import type { BatchRow } from './tables.ts'
import type { Entry, StreamName } from './types.ts'

/** A stream that this process writes. */
export interface LocalStream extends StreamName {
  lastSeq: number
  /** All up to here is on disk. */
  committed: number
  /** What is not on disk yet, in order, without gaps. */
  pending: Entry[]
  closing: boolean
  /** Its writer ends it within a transaction of its own: common commits leave it out, and nothing is appended. */
  held: boolean
  /** The end is on disk. */
  closed: boolean
  /** The stream was removed: nothing more is written. */
  dropped: boolean
  /** Its place on disk is taken by another writer: nothing more is written. */
  broken: Error | null
  readonly onTaken: (() => void) | null
  followers: ReadonlySet<Follower>
  keyring: Keyring | null
  /** Whether the stream's row was written by this source. */
  known: boolean
  /** Rows that were made for a commit; a repeated try writes the same ones. */
  prepared: PreparedBatches | null
  failures: number
  waiters: Waiter[]
}

export interface PreparedBatches {
  readonly batches: readonly BatchRow[]
  readonly count: number
  readonly closes: boolean
}

export interface Waiter {
  readonly upTo: number
  readonly untilClosed: boolean
  resolve(): void
  reject(error: Error): void
}

/** One reader of a stream: a bounded queue, and a flag that says "read from disk first". */
export interface Follower {
  cursor: number
  queue: Entry[]
  /** What the queue weighs, about. */
  weight: number
  behind: boolean
  ended: boolean
  wake: (() => void) | null
}

export type Hub = ReturnType<typeof createHub>

/** What a slow follower may have waiting in its queue, in characters, before it goes back to reading from disk. */
const queueWeight = 2 ** 20

/** `queueLimit`: how many events a slow follower may have waiting besides. */
export const createHub = (queueLimit: number) => {
  const sources = new Map<string, LocalStream>()
  const followers = new Map<string, Set<Follower>>()
  const followersOf = (id: string): Set<Follower> => {
    const found = followers.get(id)
    if (found) return found
    const made = new Set<Follower>()
    followers.set(id, made)
    return made
  }
  const tidy = (id: string): void => {
    if (followers.get(id)?.size === 0 && !sources.has(id)) followers.delete(id)
  }

  return {
    /** Takes a stream over for writing by this process. */
    addSource: (stream: StreamName, after: number, onTaken: (() => void) | null): LocalStream => {
      if (sources.has(stream.id)) throw new Error(`The stream ${stream.id} is being written already.`)
      const source: LocalStream = {
        id: stream.id,
        accountId: stream.accountId,
        lastSeq: after,
        committed: after,
        pending: [],
        closing: false,
        held: false,
        closed: false,
        dropped: false,
        broken: null,
        onTaken,
        followers: followersOf(stream.id),
        keyring: null,
        known: false,
        prepared: null,
        failures: 0,
        waiters: [],
      }
      sources.set(stream.id, source)
      // A follower may not have read all that an earlier writer left on disk.
      for (const follower of source.followers) if (follower.cursor < after) fallBehind(follower)
      return source
    },
    source: (id: string): LocalStream | undefined => sources.get(id),
    sources: (): IterableIterator<LocalStream> => sources.values(),
    removeSource: (source: LocalStream): void => {
      if (sources.get(source.id) !== source) return
      sources.delete(source.id)
      tidy(source.id)
    },

    push: (source: LocalStream, event: unknown): number => {
      const entry = { seq: ++source.lastSeq, event }
      source.pending.push(entry)
      const weight = source.followers.size > 0 ? estimateSize(event) : 0
      for (const follower of source.followers) {
        if (follower.behind) continue
        const full = follower.queue.length >= queueLimit || follower.weight > queueWeight
        if (full) fallBehind(follower)
        else {
          follower.queue.push(entry)
          follower.weight += weight
          wakeFollower(follower)
        }
      }
      return entry.seq
    },
    /** Lets the followers of a stream end once they have read what is there. */
    end: (id: string): void => {
      for (const follower of followers.get(id) ?? []) {
        follower.ended = true
        wakeFollower(follower)
      }
    },

    join: (id: string, after: number): Follower => {
      const follower: Follower = { cursor: after, queue: [], weight: 0, behind: true, ended: false, wake: null }
      followersOf(id).add(follower)
      return follower
    },
    leave: (id: string, follower: Follower): void => {
      followers.get(id)?.delete(follower)
      tidy(id)
    },
    /**
     * The cut-over. From here on the follower's queue receives all that is appended, and holds all that is not on disk.
     * Says whether something between the follower's place and the queue must be read from disk first.
     */
    cutOver: (id: string, follower: Follower): boolean => {
      const source = sources.get(id)
      follower.behind = false
      follower.queue = source ? [...source.pending] : []
      follower.weight = 0
      if (source?.closing) follower.ended = true
      return !source || follower.cursor < source.committed
    },
    /** Something was written elsewhere: its followers here look on disk. Streams that are written here need no look. */
    touch: (id: string): void => {
      if (sources.has(id)) return
      for (const follower of followers.get(id) ?? []) fallBehind(follower)
    },
    /** Followed streams that are written elsewhere, with the place of the follower that is furthest behind. */
    watched: (): Map<string, number> => {
      const places = new Map<string, number>()
      for (const [id, all] of followers)
        if (all.size > 0 && !sources.has(id)) places.set(id, Math.min(...[...all].map((one) => one.cursor)))
      return places
    },
  }
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
const estimateSize = (event: unknown, levels = 2): number => {
  if (typeof event === 'string') return event.length
  if (typeof event !== 'object' || event === null || levels < 0) return 8
  let weight = 8
  for (const name in event) weight += estimateSize((event as Record<string, unknown>)[name], levels - 1)
  return weight
}

const fallBehind = (follower: Follower): void => {
  follower.behind = true
  follower.queue = []
  follower.weight = 0
  wakeFollower(follower)
}
