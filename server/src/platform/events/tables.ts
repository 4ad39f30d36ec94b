/** Two tables: streams, and batches of consecutive events. */
import type { Migration } from '../db/types.ts'
import { type SealedColumn, sealedColumns } from '../vault/sealed-columns.ts'

export interface StreamRow {
  id: string
  account_id: string | null
  /** Shared streams: the last number given out. Streams of one writer: written when the stream is made and closed. */
  last_seq: number
  closed_at: number | null
  created_at: number
}

export interface BatchRow {
  stream_id: string
  first_seq: number
  last_seq: number
  /** A sealed JSON array; its events are numbered from `first_seq` on. */
  payload: Uint8Array
  created_at: number
}

export interface EventTables {
  event_streams: StreamRow
  event_batches: BatchRow
}

export const eventMigrations: readonly Migration[] = [
  {
    id: 'events/0001-streams-and-batches',
    up: ({ text, int, bytes }) => [
      `create table event_streams (
        id ${text} primary key,
        account_id ${text},
        last_seq ${int} not null,
        closed_at ${int},
        created_at ${int} not null
      )`,
      'create index event_streams_account on event_streams (account_id)',
      'create index event_streams_closed on event_streams (closed_at, id)',
      `create table event_batches (
        stream_id ${text} not null,
        first_seq ${int} not null,
        last_seq ${int} not null,
        payload ${bytes} not null,
        created_at ${int} not null,
        primary key (stream_id, last_seq)
      )`,
    ],
  },
]

export const eventSealed: readonly SealedColumn[] = [
  ...sealedColumns('event_batches', ['payload'], {
    key: ['stream_id', 'last_seq'],
    row: "stream_id || ':' || first_seq",
    owner: '(select account_id from event_streams where event_streams.id = stream_id)',
    where: 'exists (select 1 from event_streams where event_streams.id = stream_id)',
  }),
]
