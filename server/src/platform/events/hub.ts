/** Who writes and who follows within this process. No I/O. */
import type { Keyring } from '../vault/types.ts'
import { createFollower, endFollower, estimateSize, fallBehind, type Follower, queueEntry } from './follower.ts'
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

/** All who follow one stream in this process. */
interface Audience {
  readonly accountId: string | null
  readonly followers: Set<Follower>
  /**
   * Of a stream that is written elsewhere: up to here everybody who is not behind was fed. Those who are behind read from
   * disk by themselves until they are past it. null while all are behind.
   */
  edge: number | null
  /** How often something was written elsewhere. */
  touches: number
  /** How often somebody joined those who are fed. */
  joins: number
}

/** How an audience was before somebody read from disk. */
export type Mark = Pick<Audience, 'edge' | 'touches' | 'joins'>

export type Hub = ReturnType<typeof createHub>

/** `queueLimit`: how many events a slow follower may have waiting besides. */
export const createHub = (queueLimit: number) => {
  const sources = new Map<string, LocalStream>()
  const audiences = new Map<string, Audience>()
  const audienceOf = ({ id, accountId }: StreamName): Audience => {
    const found = audiences.get(id)
    if (found) return found
    const made: Audience = { accountId, followers: new Set(), edge: null, touches: 0, joins: 0 }
    audiences.set(id, made)
    return made
  }
  const tidy = (id: string): void => {
    if (audiences.get(id)?.followers.size === 0 && !sources.has(id)) audiences.delete(id)
  }
  /** See `Audience.edge`; null also where the stream is written here. */
  const edgeOf = (id: string): number | null => {
    const audience = audiences.get(id)
    if (!audience || audience.edge === null) return null
    if (sources.has(id) || !isAnyFed(audience.followers)) audience.edge = null
    return audience.edge
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
        followers: audienceOf(stream).followers,
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
      for (const follower of source.followers) queueEntry(follower, entry, weight, queueLimit)
      return entry.seq
    },
    /** Lets the followers of a stream end once they have read what is there. */
    end: (id: string): void => {
      for (const follower of audiences.get(id)?.followers ?? []) endFollower(follower)
    },

    join: (stream: StreamName, after: number): Follower => {
      const follower = createFollower(after)
      const audience = audienceOf(stream)
      // Whoever is just where the others are has nothing to read.
      if (edgeOf(stream.id) === after && isAnySeen(audience.followers)) {
        follower.behind = false
        follower.seen = true
        audience.joins += 1
      }
      audience.followers.add(follower)
      return follower
    },
    leave: (id: string, follower: Follower): void => {
      audiences.get(id)?.followers.delete(follower)
      tidy(id)
    },
    /**
     * The cut-over to what is written here. From here on the follower's queue receives all that is appended, and holds
     * all that is not on disk. Says whether something between the follower's place and the queue must be read from disk first.
     */
    cutOver: (id: string, follower: Follower): boolean => {
      const source = sources.get(id)
      if (!source) return true
      follower.behind = false
      follower.queue = [...source.pending]
      follower.weight = 0
      if (source.closing) follower.ended = true
      return follower.cursor < source.committed
    },
    /** Taken before a read from disk, for `catchUp` and `found`. */
    mark: (id: string): Mark => {
      const { touches = 0, joins = 0 } = audiences.get(id) ?? {}
      return { edge: edgeOf(id), touches, joins }
    },
    /** Something was written elsewhere. Says whether somebody here waits to be fed with it. */
    touch: (id: string): boolean => {
      const audience = audiences.get(id)
      if (!audience || sources.has(id)) return false
      audience.touches += 1
      return edgeOf(id) !== null
    },
    edge: edgeOf,
    /** Whose data key opens the stream, as those who follow it say. */
    owner: (id: string): string | null => audiences.get(id)?.accountId ?? null,
    /**
     * A follower of a stream that is written elsewhere has read all that was on disk at `before`. From now on it is fed,
     * unless the others are further by now. Says whether there may be more on disk.
     */
    catchUp: (id: string, follower: Follower, before: Mark): boolean => {
      const audience = audiences.get(id)
      if (!audience || sources.has(id)) return false
      const edge = edgeOf(id)
      if (edge !== null && follower.cursor < edge) {
        if (edge !== before.edge) return false
        // The disk has nothing up to there: somebody came with a place that is not written yet.
        audience.edge = follower.cursor
      }
      audience.edge ??= follower.cursor
      audience.joins += 1
      follower.behind = false
      follower.queue = []
      follower.weight = 0
      return edge === null && audience.touches !== before.touches
    },
    /** Hands entries that were read from disk, the next after the edge, to all who are fed. */
    feed: (id: string, entries: readonly Entry[]): void => {
      const audience = audiences.get(id)
      if (!audience || edgeOf(id) === null) return
      for (const entry of entries) {
        const weight = estimateSize(entry.event)
        for (const follower of audience.followers) queueEntry(follower, entry, weight, queueLimit)
        audience.edge = entry.seq
      }
    },
    /** Has all who are fed read for themselves: what comes next is not what follows the edge. */
    scatter: (id: string): void => {
      for (const follower of audiences.get(id)?.followers ?? []) if (!follower.behind) fallBehind(follower)
    },
    /**
     * Whether the stream is there, as it was just found: who is fed ends once it is closed, or was there and is not. Says
     * whether that counts; it does not for who has joined since `before`, and may know better.
     */
    found: (id: string, state: 'open' | 'closed' | 'missing', before: Mark): boolean => {
      const audience = audiences.get(id)
      if (!audience) return true
      if (state !== 'open' && audience.joins !== before.joins) return false
      for (const follower of audience.followers) {
        if (follower.behind) continue
        if (state === 'closed' || (state === 'missing' && follower.seen)) endFollower(follower)
        follower.seen ||= state !== 'missing'
      }
      return true
    },
    /** Streams that are written elsewhere and followed here at their edge, with that place. */
    watched: (): Map<string, { readonly edge: number; readonly seen: boolean }> => {
      const places = new Map<string, { edge: number; seen: boolean }>()
      for (const [id, { followers }] of audiences) {
        const edge = edgeOf(id)
        if (edge !== null) places.set(id, { edge, seen: isAnySeen(followers) })
      }
      return places
    },
  }
}

const isAnyFed = (followers: ReadonlySet<Follower>): boolean => {
  for (const follower of followers) if (!follower.behind) return true
  return false
}

const isAnySeen = (followers: ReadonlySet<Follower>): boolean => {
  for (const follower of followers) if (!follower.behind && follower.seen) return true
  return false
}
