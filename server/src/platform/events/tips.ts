/** The next number of a shared stream, without asking the database for it where this process knows the last one. */
import { createCache } from '../cache/cache.ts'
import type { AnyTransaction } from '../db/types.ts'
import type { EventStore } from './store.ts'
import type { StreamRow } from './tables.ts'

export interface Tips {
  /** The next number; the row stays locked until the transaction ends. */
  next(trx: AnyTransaction, stream: Omit<StreamRow, 'last_seq'>): Promise<number>
  /** Call it once a number is committed. */
  keep(streamId: string, seq: number): void
  /** Somebody takes numbers past this. */
  forget(streamId: string): void
}

/** Streams of people who are there: each is some hundred bytes. */
const most = 10_000

interface Tip {
  /** The last number that was given; null while the database is asked for it. */
  readonly seq: number | null
  readonly isCommitted: boolean
}

/**
 * Only the last number that was given counts, and only once it is committed: whoever comes before that, or after a
 * transaction that failed, asks. One that is wrong all the same costs a second try, and nothing else. Where other processes
 * write as well, everybody asks.
 */
export const createTips = (store: Pick<EventStore, 'advance' | 'nextSeq'>, hasOneWriter: boolean): Tips => {
  const tips = createCache<Tip>({ max: most })
  return {
    async next(trx, stream) {
      const tip = stream.closed_at === null ? tips.get(stream.id) : undefined
      if (tip?.isCommitted && tip.seq !== null) {
        const seq = tip.seq + 1
        tips.set(stream.id, { seq, isCommitted: false })
        await store.advance(trx, stream.id, seq)
        return seq
      }
      tips.set(stream.id, { seq: null, isCommitted: false })
      const seq = await store.nextSeq(trx, stream)
      tips.set(stream.id, { seq, isCommitted: false })
      return seq
    },
    keep(streamId, seq) {
      if (hasOneWriter && tips.get(streamId)?.seq === seq) tips.set(streamId, { seq, isCommitted: true })
    },
    forget: (streamId) => tips.forget(streamId),
  }
}
