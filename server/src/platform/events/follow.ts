/** Following a stream: backfill from disk, cut-over, live. */
import { retryDuringOutage } from '../db/outage.ts'
import type { Vault } from '../vault/types.ts'
import { openBatch } from './codec.ts'
import type { Feed } from './feed.ts'
import { type Follower, waitForWork, wakeFollower } from './follower.ts'
import type { Hub } from './hub.ts'
import { firstBatches, nextPage } from './pages.ts'
import type { EventStore } from './store.ts'
import type { Entry, StreamName } from './types.ts'

interface Parts {
  readonly hub: Hub
  readonly feed: Feed
  readonly store: EventStore
  readonly vault: Vault
  /** How many batches are read at once, at most. */
  readonly pageSize: number
}

interface Asked {
  readonly stream: StreamName
  readonly after: number
  readonly signal: AbortSignal
  /** See `EventLog.follow`. */
  readonly reset?: unknown
}

/**
 * Gives every entry after `after` once and in order; ends as `EventLog.follow` says. A database that is away is waited
 * for: the stream goes on, so whoever follows it is not told of an error.
 */
export async function* follow(parts: Parts, { stream, after, signal, reset }: Asked): AsyncGenerator<Entry> {
  const { hub, feed } = parts
  if (signal.aborted) return
  const follower = hub.join(stream, after)
  const stop = (): void => wakeFollower(follower)
  signal.addEventListener('abort', stop)
  try {
    for (;;) {
      if (follower.behind && hub.cutOver(stream.id, follower)) {
        const before = hub.mark(stream.id)
        const { ended } = follower
        // Whether it has ended is asked first: what was written until then is on disk when it is read.
        const row = await retryDuringOutage(() => parts.store.stream(stream.id), signal)
        const gone = row ? row.closed_at !== null : follower.seen
        const tip = row?.last_seq ?? 0
        // Beyond what is there: of a database that was brought back, say.
        if (reset !== undefined && follower.cursor > tip && (row || !follower.seen)) {
          follower.cursor = tip
          yield { seq: tip, event: reset }
        }
        follower.seen ||= row !== undefined
        if (row) yield* fromDisk(parts, follower, tip, { stream, signal, reset })
        // An ended stream that is written here has its last words in the queue.
        if (gone && !hub.source(stream.id) && (follower.behind || follower.queue.length === 0)) return
        // Written to its end here while this was read: its last words are on disk by now.
        if (follower.behind && follower.ended !== ended) continue
        if (follower.behind && hub.catchUp(stream.id, follower, before)) feed.touch(stream.id)
      }
      if (signal.aborted) return
      // Written out here: this is the busiest loop of the server, and delegating costs a promise per event.
      while (follower.queue.length > 0) {
        const entries = follower.queue
        follower.queue = []
        follower.weight = 0
        for (const entry of entries) {
          if (entry.seq <= follower.cursor) continue
          if (signal.aborted) return
          follower.cursor = entry.seq
          yield entry
        }
      }
      if (signal.aborted) return
      if (follower.behind) continue
      if (follower.ended) return
      await waitForWork(follower)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    hub.leave(stream.id, follower)
  }
}

async function* fromDisk(
  { store, vault, pageSize }: Parts,
  follower: Follower,
  tip: number,
  { stream: { id, accountId }, signal, reset }: Omit<Asked, 'after'>,
): AsyncGenerator<Entry> {
  const keyring = await retryDuringOutage(() => vault.keyring(accountId), signal)
  let limit = Math.min(pageSize, firstBatches)
  for (;;) {
    const rows = await retryDuringOutage(() => store.page(id, follower.cursor, limit), signal)
    const [next] = rows
    if (reset !== undefined && next && next.first_seq > follower.cursor + 1) {
      // What came between was pruned. Whoever reads anew now has all up to here.
      follower.cursor = Math.max(tip, next.first_seq - 1)
      yield { seq: follower.cursor, event: reset }
      continue
    }
    for (const row of rows)
      for (const entry of openBatch(keyring, row, follower.cursor)) {
        if (signal.aborted) return
        follower.cursor = entry.seq
        yield entry
      }
    if (rows.length < limit || signal.aborted) return
    limit = nextPage(rows, limit, pageSize)
  }
}
