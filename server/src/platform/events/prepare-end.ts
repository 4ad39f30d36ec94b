/** The end of a stream within a transaction that its writer makes, together with rows of its own. */
import type { Clock } from '../clock.ts'
import { sealBatches } from './codec.ts'
import type { Committer } from './commit.ts'
import type { Hub, LocalStream } from './hub.ts'
import type { EventStore } from './store.ts'
import type { StreamEnd } from './types.ts'

interface Parts {
  readonly clock: Clock
  readonly committer: Committer
  readonly hub: Hub
  readonly store: EventStore
}

/** See `StreamWriter.prepareEnd`. The last event is a row of its own: what stands before it keeps its rows if this fails. */
export const prepareEnd = async (
  { clock, committer, hub, store }: Parts,
  source: LocalStream,
  event: unknown,
): Promise<StreamEnd> => {
  const keyring = await committer.hold(source)
  const lastSeq = source.lastSeq + 1
  const now = clock.now()
  const last = sealBatches(keyring, source.id, [{ seq: lastSeq, event }], now)
  const batches = [...(source.prepared?.batches ?? []), ...last]
  const stream = { id: source.id, account_id: source.accountId, last_seq: lastSeq, closed_at: now, created_at: now }
  const isGone = (): boolean => source.broken !== null || source.dropped
  let begun = 0
  return {
    lastSeq,
    write: async (trx) => {
      begun = performance.now()
      if (!isGone()) await store.insert(trx, batches, [stream])
    },
    settle: (isCommitted) => {
      if (!isCommitted) return committer.letGo(source)
      if (!isGone()) hub.push(source, event)
      source.closing = true
      hub.end(source.id)
      // One that was removed meanwhile is removed once more.
      if (source.broken === null) committer.ended(source, performance.now() - begun)
      if (isGone()) hub.removeSource(source)
    },
  }
}
