/** The event log over the database: streams of one writer, shared streams, and those who follow them. */
import type { Clock } from '../clock.ts'
import type { AnyTransaction, Database } from '../db/types.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/index.ts'
import type { Keyring, Vault } from '../vault/types.ts'
import { openBatch, sealBatches } from './codec.ts'
import { createCommitter } from './commit.ts'
import { createFeed } from './feed.ts'
import { follow } from './follow.ts'
import { createHub } from './hub.ts'
import { createEventRecorder } from './metrics.ts'
import { prepareEnd } from './prepare-end.ts'
import { createEventStore, cutSlices } from './store.ts'
import { createTips } from './tips.ts'
import type { Appender, Entry, EventLog, StreamName, StreamWriter } from './types.ts'

export interface EventLogParts {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Log
  /** Unique among the processes on this database, and new at every start. */
  readonly processId: string
  readonly metrics?: Metrics | null
  readonly tuning?: Partial<Tuning>
}

interface Tuning {
  /** How long events wait for a common commit. */
  readonly windowMs: number
  /** Events that a slow follower may have waiting in memory. */
  readonly queueLimit: number
  /** Batches read from disk at once. */
  readonly pageSize: number
  /** How often followed streams of other processes are looked at, should a message about them get lost. */
  readonly lookMs: number
}

/** No process shows this many events before it commits them. */
const unseenGap = 10_000
const channel = 'events'
/** To so many streams an event is appended in one transaction. */
const appendedAtOnce = 100

/** Opens the log. Its tables are `eventMigrations`. End it with `stop()`. */
export const createEventLog = ({ metrics, tuning, ...parts }: EventLogParts): EventLog => {
  const { database, vault, clock, log, processId } = parts
  const recorder = metrics ? createEventRecorder(metrics) : null
  const { windowMs, queueLimit, pageSize, lookMs } = {
    windowMs: 80,
    queueLimit: 2000,
    pageSize: 100,
    lookMs: 1500,
    ...tuning,
  }
  const store = createEventStore(database)
  const tips = createTips(store, database.hasOneWriter)
  const hub = createHub(queueLimit)
  recorder?.watch(hub)
  const feed = createFeed({ hub, store, vault, log, pageSize })
  const followParts = { hub, feed, store, vault, pageSize }

  const announcements = new Set<Promise<void>>()
  const tell = (streamIds: readonly string[]): Promise<void> => {
    const told = announceNow(streamIds).finally(() => announcements.delete(told))
    announcements.add(told)
    return told
  }
  const announceNow = async (streamIds: readonly string[]): Promise<void> => {
    try {
      for (const message of messages(processId, streamIds)) await database.notify(channel, message)
    } catch (error) {
      // Followers elsewhere look for themselves after `lookMs`; the events themselves are safe.
      log.warn('Other processes could not be told of new events.', { error })
    }
  }
  const look = async (): Promise<void> => {
    try {
      const watched = hub.watched()
      const tips = await store.readPositions([...watched.keys()])
      for (const [id, { edge, seen }] of watched) {
        const tip = tips.get(id)
        if (tip ? tip.closed || tip.lastSeq > edge : seen) feed.touch(id)
      }
    } catch (error) {
      log.warn('Followed streams could not be looked at; that is tried again.', { error })
    }
  }
  let looked = Promise.resolve()
  const lookSoon = (): void => {
    looked = looked.then(look)
  }
  const looking = setInterval(lookSoon, lookMs).unref()
  const unlisten = database.listen(
    channel,
    (message) => {
      const [sender, ...streamIds] = message.split(' ')
      if (sender !== processId) for (const id of streamIds) feed.touch(id)
    },
    lookSoon,
  )

  const committer = createCommitter({
    database,
    store,
    vault,
    clock,
    log,
    windowMs,
    recorder,
    committed: (sources) => {
      for (const source of sources) if (source.closed) hub.removeSource(source)
      void tell(sources.map((source) => source.id))
    },
  })

  const open = (stream: StreamName, after: number, onTaken: (() => void) | null = null): StreamWriter => {
    const source = hub.addSource(stream, after, onTaken)
    return {
      get lastSeq() {
        return source.lastSeq
      },
      append: (event) => {
        if (source.closing || source.held) throw new Error(`The stream ${stream.id} has ended.`)
        const seq = hub.push(source, event)
        if (source.broken || source.dropped) source.pending = []
        else committer.schedule(source)
        return seq
      },
      flush: () => committer.flush(source, false),
      close: () => {
        source.closing = true
        hub.end(source.id)
        if (source.broken || source.dropped) hub.removeSource(source)
        return committer.flush(source, true)
      },
      prepareEnd: (event) => prepareEnd({ clock, committer, hub, store }, source, event),
      discard: () => {
        source.closing = true
        committer.drop(source)
        hub.end(source.id)
        hub.removeSource(source)
      },
      get isTaken() {
        return source.broken !== null
      },
    }
  }

  const appender = async (accountId: string | null): Promise<Appender> => {
    const keyring = await vault.keyring(accountId)
    const touched = new Map<string, number>()
    return {
      append: async (trx, streamId, event, options) => {
        const now = clock.now()
        const closedAt = options?.close ? now : null
        const row = { id: streamId, account_id: accountId, closed_at: closedAt, created_at: now }
        const seq = await tips.next(trx, row)
        await store.insert(trx, sealBatches(keyring, streamId, [{ seq, event }], now), [])
        touched.set(streamId, seq)
        return seq
      },
      replace: async (trx, streamId, seqs, event) => {
        for (const seq of seqs) {
          const [row] = sealBatches(keyring, streamId, [{ seq, event }], clock.now())
          if (row) await store.replacePayload(trx, row)
        }
      },
      announce: async () => {
        for (const [id, seq] of touched) {
          tips.keep(id, seq)
          feed.touch(id)
        }
        await tell([...touched.keys()])
      },
    }
  }

  const removeWithin = async (
    trx: AnyTransaction | undefined,
    ids: (trx: AnyTransaction) => Promise<readonly string[]>,
  ) => {
    const work = async (inner: AnyTransaction): Promise<readonly string[]> => {
      const found = await ids(inner)
      for (const id of found) {
        const source = hub.source(id)
        if (source) committer.drop(source)
        hub.end(id)
      }
      await store.remove(inner, found)
      return found
    }
    const removed = trx ? await work(trx) : await database.write(work)
    void tell(removed)
  }

  return {
    open: <E>(stream: StreamName, options?: { after?: number; onTaken?: () => void }) =>
      open(stream, options?.after ?? 0, options?.onTaken) as StreamWriter<E>,
    resume: async <E>(stream: StreamName) => {
      const tip = (await store.readPositions([stream.id])).get(stream.id)
      return open(stream, tip ? tip.lastSeq + unseenGap : 0) as StreamWriter<E>
    },
    append: async (stream, event, options) => {
      const one = await appender(stream.accountId)
      const seq = await database.write((trx) => one.append(trx, stream.id, event, options))
      await one.announce()
      return seq
    },
    appendToEach: async (streams, event) => {
      // In one order everywhere, so that two who tell the same ones do not wait for each other.
      const all = [...new Map(streams.map((stream) => [stream.id, stream])).values()]
      for (const some of cutSlices(
        all.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        appendedAtOnce,
      )) {
        const keyrings = new Map(
          await Promise.all(some.map(async ({ id, accountId }) => [id, await vault.keyring(accountId)] as const)),
        )
        for (const { id } of some) tips.forget(id)
        const now = clock.now()
        const rows = some.map(({ id, accountId }) => ({ id, account_id: accountId, closed_at: null, created_at: now }))
        const told = await database.write(async (trx) => {
          const places = await store.nextSeqs(trx, rows)
          const batches = places.flatMap(({ id, last_seq: seq }) =>
            sealBatches(keyrings.get(id) as Keyring, id, [{ seq, event }], now),
          )
          await store.insert(trx, batches, [])
          return places.map(({ id }) => id)
        })
        for (const id of told) feed.touch(id)
        await tell(told)
      }
    },
    appender,
    follow: <E>(stream: StreamName, after: number, signal: AbortSignal, options?: { reset?: E }) =>
      follow(followParts, { stream, after, signal, ...options }) as AsyncIterable<Entry<E>>,
    read: async <E>(stream: StreamName, after: number) => {
      const keyring = await vault.keyring(stream.accountId)
      const entries: Entry[] = []
      for (let place = after; ; ) {
        const rows = await store.page(stream.id, place, pageSize)
        for (const row of rows) entries.push(...openBatch(keyring, row, after))
        if (rows.length < pageSize) return entries as Entry<E>[]
        place = rows.at(-1)?.last_seq ?? place
      }
    },
    lastSeq: async (streamId) => (await store.readPositions([streamId])).get(streamId)?.lastSeq ?? 0,
    lastSeqsAt: async (streamIds, time) => {
      const places = new Map(streamIds.map((id) => [id, 0]))
      for (const { id, lastSeq, at } of await store.readTips(streamIds))
        places.set(id, at < time ? lastSeq : await store.placeAt(id, time))
      return places
    },
    reopen: (streamId, trx) => store.reopen(trx, streamId),
    remove: (streamIds, trx) => removeWithin(trx, () => Promise.resolve(streamIds)),
    removeAccount: (accountId, trx) =>
      removeWithin(trx, async (inner) => {
        const own = [...hub.sources()].filter((source) => source.accountId === accountId)
        return [...new Set([...(await store.streamIdsOf(inner, accountId)), ...own.map((source) => source.id)])]
      }),
    prune: async (before) => {
      for (;;) {
        const ids = await store.closedBefore(before, 200)
        if (ids.length === 0) break
        // Not what was opened again since.
        await database.write(async (trx) => store.remove(trx, await store.closedAmong(trx, ids, before)))
      }
      for (let ids = await store.openStreams('', 200); ids.length > 0; ) {
        await store.dropOld(ids, before)
        ids = await store.openStreams(ids.at(-1) ?? '', 200)
      }
    },
    stop: async () => {
      clearInterval(looking)
      const last = await Promise.allSettled([...hub.sources()].map((source) => committer.flush(source, false)))
      committer.stop()
      await committer.idle()
      await Promise.all([looked, ...announcements, feed.stop()])
      unlisten()
      const lost = last.find((one) => one.status === 'rejected')
      if (lost) throw lost.reason
    },
  }
}

/** Messages of less than 8000 bytes each: who speaks, then the streams. */
function* messages(processId: string, streamIds: readonly string[]): Generator<string> {
  let message = processId
  for (const id of streamIds) {
    if (message.length + id.length > 7000) {
      yield message
      message = processId
    }
    message += ` ${id}`
  }
  if (message !== processId) yield message
}
