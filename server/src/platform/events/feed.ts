/** Reads what is written elsewhere: once in this process, for all who follow it here. */
import { retryDuringOutage } from '../db/outage.ts'
import type { Log } from '../log/log.ts'
import type { Vault } from '../vault/types.ts'
import { openBatch } from './codec.ts'
import type { Hub } from './hub.ts'
import { nextPage } from './pages.ts'
import type { EventStore } from './store.ts'

interface Parts {
  readonly hub: Hub
  readonly store: EventStore
  readonly vault: Vault
  readonly log: Log
  /** How many batches are read at once, at most. */
  readonly pageSize: number
}

export type Feed = ReturnType<typeof createFeed>

export const createFeed = ({ hub, store, vault, log, pageSize }: Parts) => {
  const stopping = new AbortController()
  /** Streams that are being read, and whether they were touched since that read began. */
  const reading = new Map<string, boolean>()
  const rounds = new Set<Promise<void>>()

  /** Reads on from the edge of those who are fed. */
  const read = async (id: string, accountId: string | null): Promise<void> => {
    const { signal } = stopping
    const before = hub.mark(id)
    // Whether it has ended is asked first: what was written until then is on disk when it is read.
    const row = await retryDuringOutage(() => store.stream(id), signal)
    if (row) {
      const keyring = await retryDuringOutage(() => vault.keyring(accountId), signal)
      for (let limit = pageSize, edge = hub.edge(id); edge !== null && !signal.aborted; edge = hub.edge(id)) {
        const from = edge
        const rows = await retryDuringOutage(() => store.page(id, from, limit), signal)
        // Who was fed has left meanwhile, and others have come who are elsewhere.
        if (hub.edge(id) !== from) continue
        const [first] = rows
        // What should be next is not there: everybody finds out what that means for their place.
        if (first && first.first_seq > from + 1) return hub.scatter(id)
        for (const each of rows) hub.feed(id, openBatch(keyring, each, from))
        if (rows.length < limit) break
        limit = nextPage(rows, limit, pageSize)
      }
    }
    const state = row ? (row.closed_at === null ? 'open' : 'closed') : 'missing'
    if (!signal.aborted && !hub.found(id, state, before)) reading.set(id, true)
  }

  const run = async (id: string, accountId: string | null): Promise<void> => {
    try {
      do {
        reading.set(id, false)
        await read(id, accountId)
      } while (reading.get(id) && !stopping.signal.aborted)
    } catch (error) {
      if (stopping.signal.aborted) return
      // Each of them reads for itself, and hears what is wrong.
      log.warn('A followed stream could not be read for all who follow it.', { error })
      hub.scatter(id)
    } finally {
      reading.delete(id)
    }
  }

  return {
    /** Something of the stream was written elsewhere: reads it, where somebody here waits to be fed. */
    touch: (id: string): void => {
      if (!hub.touch(id)) return
      if (reading.has(id)) return void reading.set(id, true)
      const accountId = hub.owner(id)
      const round = run(id, accountId).finally(() => rounds.delete(round))
      rounds.add(round)
    },
    /** Resolves when nothing is read any more. */
    stop: async (): Promise<void> => {
      stopping.abort()
      await Promise.all(rounds)
    },
  }
}
