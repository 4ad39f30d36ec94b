/** Following a stream: backfill from disk, cut-over, live. */
import { retryDuringOutage } from '../db/outage.ts'
import type { Keyring, Vault } from '../vault/types.ts'
import { openBatch } from './codec.ts'
import { type Follower, type Hub, waitForWork, wakeFollower } from './hub.ts'
import type { EventStore } from './store.ts'
import type { Entry, StreamName } from './types.ts'

interface Parts {
  readonly hub: Hub
  readonly store: EventStore
  readonly vault: Vault
  /** How many batches are read at once, at most. */
  readonly pageSize: number
}

/**
 * Gives every entry after `after` once and in order; ends as `EventLog.follow` says. A database that is away is waited
 * for: the stream goes on, so whoever follows it is not told of an error.
 */
export async function* follow(
  { hub, store, vault, pageSize }: Parts,
  stream: StreamName,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Entry> {
  if (signal.aborted) return
  const follower = hub.join(stream.id, after)
  const stop = (): void => wakeFollower(follower)
  signal.addEventListener('abort', stop)
  let seen = false
  try {
    for (;;) {
      if (follower.behind && hub.cutOver(stream.id, follower)) {
        // Whether it has ended is asked first: what was written until then is on disk when it is read.
        const row = await retryDuringOutage(() => store.stream(stream.id), signal)
        const gone = row ? row.closed_at !== null : seen
        seen ||= row !== undefined
        if (row) {
          const keyring = await retryDuringOutage(() => vault.keyring(stream.accountId), signal)
          yield* fromDisk(store, keyring, stream.id, follower, pageSize, signal)
        }
        // An ended stream that is written here has its last words in the queue.
        if (gone && !follower.behind && !hub.source(stream.id)) return
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

/** Sealed bytes that one follower holds while it reads from disk, about. */
const pageBytes = 64 * 1024
/** Before it is known how large the batches of a stream are. */
const firstBatches = 4

async function* fromDisk(
  store: EventStore,
  keyring: Keyring,
  streamId: string,
  follower: Follower,
  pageSize: number,
  signal: AbortSignal,
): AsyncGenerator<Entry> {
  let limit = Math.min(pageSize, firstBatches)
  for (;;) {
    const rows = await retryDuringOutage(() => store.page(streamId, follower.cursor, limit), signal)
    for (const row of rows)
      for (const entry of openBatch(keyring, row, follower.cursor)) {
        if (signal.aborted) return
        follower.cursor = entry.seq
        yield entry
      }
    if (rows.length < limit || signal.aborted) return
    // A follower that does not read holds its page for as long as it is waited for, so pages are of bytes, not of rows.
    const bytes = rows.reduce((sum, { payload }) => sum + payload.byteLength, 1)
    limit = Math.max(1, Math.min(pageSize, Math.floor((limit * pageBytes) / bytes)))
  }
}
