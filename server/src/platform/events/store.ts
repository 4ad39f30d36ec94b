/** Every statement of the event log. */
import type { CompiledQuery, Kysely } from 'kysely'
import { type AnyTransaction, type Database, inTables } from '../db/types.ts'
import { runOptimistic } from '../db/unread.ts'
import type { BatchRow, EventTables, StreamRow } from './tables.ts'

/** How far a stream is on disk. */
export interface StreamPosition {
  readonly lastSeq: number
  readonly closed: boolean
}

export type EventStore = ReturnType<typeof createEventStore>

export const createEventStore = (database: Database) => {
  const tables = database.tables<EventTables>()
  const templates = new Map<number, CompiledQuery>()

  return {
    /** Batches that hold something after `after`, oldest first. */
    page: (streamId: string, after: number, limit: number): Promise<BatchRow[]> =>
      tables
        .selectFrom('event_batches')
        .selectAll()
        .where('stream_id', '=', streamId)
        .where('last_seq', '>', after)
        .orderBy('last_seq')
        .limit(limit)
        .execute(),

    stream: (streamId: string): Promise<StreamRow | undefined> =>
      tables.selectFrom('event_streams').selectAll().where('id', '=', streamId).executeTakeFirst(),

    /** How far each stream is; streams that do not exist are missing from the map. */
    readPositions: async (streamIds: readonly string[]): Promise<Map<string, StreamPosition>> => {
      const tips = new Map<string, StreamPosition>()
      for (const ids of cutSlices(streamIds, 5000)) {
        const rows = await tables
          .selectFrom('event_streams as s')
          .select(['s.id', 's.closed_at', 's.last_seq'])
          .select((eb) =>
            eb
              .selectFrom('event_batches as b')
              .select((b) => b.fn.max<number | null>('b.last_seq').as('last'))
              .whereRef('b.stream_id', '=', 's.id')
              .as('last_batch'),
          )
          .where('s.id', 'in', ids)
          .execute()
        for (const row of rows)
          tips.set(row.id, { lastSeq: Math.max(row.last_seq, row.last_batch ?? 0), closed: row.closed_at !== null })
      }
      return tips
    },

    /** The last place that was written before a time, 0 when there is none. */
    placeAt: async (streamId: string, time: number): Promise<number> => {
      const row = await tables
        .selectFrom('event_batches')
        .select('last_seq')
        .where('stream_id', '=', streamId)
        .where('created_at', '<', time)
        .orderBy('last_seq', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.last_seq ?? 0
    },

    /** How far shared streams are, and when they came there; streams that do not exist are missing. */
    readTips: async (streamIds: readonly string[]): Promise<{ id: string; lastSeq: number; at: number }[]> => {
      const tips: { id: string; lastSeq: number; at: number }[] = []
      for (const ids of cutSlices(streamIds, 5000)) {
        const rows = await tables
          .selectFrom('event_streams as s')
          .leftJoin('event_batches as b', (join) =>
            join.onRef('b.stream_id', '=', 's.id').onRef('b.last_seq', '=', 's.last_seq'),
          )
          .select(['s.id', 's.last_seq', 'b.created_at'])
          .where('s.id', 'in', ids)
          .execute()
        for (const row of rows) tips.push({ id: row.id, lastSeq: row.last_seq, at: row.created_at ?? 0 })
      }
      return tips
    },

    /** Writes batches, and stream rows that are new or have changed. Fails on a batch whose place is taken. */
    insert: async (trx: AnyTransaction, batches: readonly BatchRow[], streams: readonly StreamRow[]): Promise<void> => {
      const rows = inTables<EventTables>(trx)
      for (const part of cutSlices(streams, 100))
        await rows
          .insertInto('event_streams')
          .values(part)
          .onConflict((on) =>
            on.column('id').doUpdateSet((eb) => ({
              last_seq: eb.ref('excluded.last_seq'),
              // An end stays, also where a commit that was never confirmed is tried again without it.
              closed_at: eb.fn.coalesce('excluded.closed_at', 'event_streams.closed_at'),
            })),
          )
          .execute()
      for (const part of chunks(batches)) await rows.executeQuery(filled(rows, templates, part))
    },

    /** The batch that ends at a place, if there is one. */
    batch: (trx: AnyTransaction, streamId: string, lastSeq: number): Promise<BatchRow | undefined> =>
      inTables<EventTables>(trx)
        .selectFrom('event_batches')
        .selectAll()
        .where('stream_id', '=', streamId)
        .where('last_seq', '=', lastSeq)
        .executeTakeFirst(),

    /** Changes what a batch holds, if it is still there with the same events. */
    replacePayload: async (
      trx: AnyTransaction,
      { stream_id, first_seq, last_seq, payload }: BatchRow,
    ): Promise<void> => {
      await inTables<EventTables>(trx)
        .updateTable('event_batches')
        .set({ payload })
        .where('stream_id', '=', stream_id)
        .where('first_seq', '=', first_seq)
        .where('last_seq', '=', last_seq)
        .execute()
    },

    /** Gives out the next number of a shared stream; the row stays locked until the transaction ends. */
    nextSeq: async (trx: AnyTransaction, stream: Omit<StreamRow, 'last_seq'>): Promise<number> => {
      const row = await inTables<EventTables>(trx)
        .insertInto('event_streams')
        .values({ ...stream, last_seq: 1 })
        .onConflict((on) =>
          on
            .column('id')
            .doUpdateSet((eb) => ({
              last_seq: eb('event_streams.last_seq', '+', 1),
              closed_at: eb.ref('excluded.closed_at'),
            }))
            .where('event_streams.closed_at', 'is', null),
        )
        .returning('last_seq')
        .executeTakeFirst()
      if (!row) throw new Error('This event stream has ended.')
      return row.last_seq
    },

    /** Takes a number that is known to be the next of a shared stream; where it is not, the transaction runs again. */
    advance: (trx: AnyTransaction, streamId: string, seq: number): Promise<void> =>
      runOptimistic(
        trx,
        inTables<EventTables>(trx)
          .updateTable('event_streams')
          .set({ last_seq: seq })
          .where('id', '=', streamId)
          .where('last_seq', '=', seq - 1)
          .where('closed_at', 'is', null),
      ),

    /** The same as `nextSeq` for many streams in one statement; those that have ended are not in what it gives. */
    nextSeqs: async (
      trx: AnyTransaction,
      streams: readonly Omit<StreamRow, 'last_seq'>[],
    ): Promise<Pick<StreamRow, 'id' | 'last_seq'>[]> =>
      await inTables<EventTables>(trx)
        .insertInto('event_streams')
        .values(streams.map((stream) => ({ ...stream, last_seq: 1 })))
        .onConflict((on) =>
          on
            .column('id')
            .doUpdateSet((eb) => ({ last_seq: eb('event_streams.last_seq', '+', 1) }))
            .where('event_streams.closed_at', 'is', null),
        )
        .returning(['id', 'last_seq'])
        .execute(),

    reopen: async (trx: AnyTransaction, streamId: string): Promise<void> => {
      await inTables<EventTables>(trx)
        .updateTable('event_streams')
        .set({ closed_at: null })
        .where('id', '=', streamId)
        .execute()
    },

    remove: async (trx: AnyTransaction, streamIds: readonly string[]): Promise<void> => {
      const rows = inTables<EventTables>(trx)
      for (const ids of cutSlices(streamIds, 500)) {
        await rows.deleteFrom('event_batches').where('stream_id', 'in', ids).execute()
        await rows.deleteFrom('event_streams').where('id', 'in', ids).execute()
      }
    },

    streamIdsOf: async (trx: AnyTransaction, accountId: string): Promise<string[]> => {
      const found = await inTables<EventTables>(trx)
        .selectFrom('event_streams')
        .select('id')
        .where('account_id', '=', accountId)
        .execute()
      return found.map((row) => row.id)
    },

    /** Streams that were closed before a time: at most `limit`. */
    closedBefore: async (before: number, limit: number): Promise<string[]> => {
      const found = await tables
        .selectFrom('event_streams')
        .select('id')
        .where('closed_at', '<', before)
        .orderBy('closed_at')
        .limit(limit)
        .execute()
      return found.map((row) => row.id)
    },

    /** Those of the ids that were closed before a time, as a transaction sees them. */
    closedAmong: async (trx: AnyTransaction, ids: readonly string[], before: number): Promise<string[]> => {
      const found = await inTables<EventTables>(trx)
        .selectFrom('event_streams')
        .select('id')
        .where('id', 'in', ids)
        .where('closed_at', '<', before)
        .execute()
      return found.map((row) => row.id)
    },

    /** Open streams in order of their ids: at most `limit`. */
    openStreams: async (afterId: string, limit: number): Promise<string[]> => {
      const found = await tables
        .selectFrom('event_streams')
        .select('id')
        .where('closed_at', 'is', null)
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit)
        .execute()
      return found.map((row) => row.id)
    },

    /** Removes batches from before a time, but never the last one: it carries the numbering. */
    dropOld: async (streamIds: readonly string[], before: number): Promise<void> => {
      await tables
        .deleteFrom('event_batches')
        .where('stream_id', 'in', streamIds)
        .where('created_at', '<', before)
        .where('last_seq', '<', (eb) =>
          eb
            .selectFrom('event_batches as later')
            .select((b) => b.fn.max<number>('later.last_seq').as('last'))
            .whereRef('later.stream_id', '=', 'event_batches.stream_id'),
        )
        .execute()
    },
  }
}

/** Three sizes of statement only, so that each is compiled once, here and in the database. */
function* chunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  let at = 0
  for (const size of [100, 10, 1])
    for (; rows.length - at >= size; at += size)
      yield at === 0 && size === rows.length ? rows : rows.slice(at, at + size)
}

/** The insert of this many rows, compiled once, with these rows' values. */
const filled = (
  rows: Kysely<EventTables>,
  templates: Map<number, CompiledQuery>,
  batches: readonly BatchRow[],
): CompiledQuery => {
  const first = batches[0] as BatchRow
  let template = templates.get(batches.length)
  if (!template) {
    template = rows
      .insertInto('event_batches')
      .values(batches.map(() => ordered(first)))
      .compile() as CompiledQuery
    templates.set(batches.length, template)
  }
  const parameters: unknown[] = []
  for (const row of batches) parameters.push(row.stream_id, row.first_seq, row.last_seq, row.payload, row.created_at)
  return { ...template, parameters }
}

/** The order of columns that `filled` counts on. */
const ordered = ({ stream_id, first_seq, last_seq, payload, created_at }: BatchRow): BatchRow => ({
  stream_id,
  first_seq,
  last_seq,
  payload,
  created_at,
})

export function* cutSlices<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
