import type { MediaJobFailure, MediaJobKind, MediaJobStatus } from '@atrium/contract/media-gallery'
import type { Migration } from '../../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../../platform/vault/sealed-columns.ts'

export interface MediaJobRow {
  id: string
  account_id: string
  kind: MediaJobKind
  status: MediaJobStatus
  model: string
  plugin_id: string
  /** Sealed, as are the two below; both JSON. */
  prompt: Uint8Array
  options: Uint8Array
  /** What the provider calls it by; null until it was accepted, and for what is answered at once. */
  handle: Uint8Array | null
  failure: MediaJobFailure | null
  missing_count: number
  missing_reason: MediaJobFailure | null
  /** In thousandths. */
  progress: number | null
  /** The provider can be told to stop. */
  cancellable: number
  /** The process that makes it, or submitted it. */
  process_id: string
  /** The API token that asked. */
  token_id: string | null
  /** The chat that it is made in. */
  chat_id: string | null
  /** Keyed digests of the `Idempotency-Key` and of what was asked under it. */
  key_digest: string | null
  body_digest: string | null
  /** When its owner asked about it last, and when the server asks the next time by itself. */
  polled_at: number
  collect_at: number
  /** How often the server asked by itself. */
  collected: number
  /** When its provider was asked last. */
  asked_at: number
  /** Who asks just now, and until when nobody else does. */
  lease: string | null
  lease_until: number
  created_at: number
  updated_at: number
  ended_at: number | null
}

/** A picture as far as it is, while its job makes it: the newest alone. */
export interface MediaPartialRow {
  job_id: string
  account_id: string
  /** Counts from 1. */
  number: number
  mime_type: string
  /** Sealed. */
  picture: Uint8Array
}

export interface MediaJobTables {
  media_jobs: MediaJobRow
  media_job_partials: MediaPartialRow
}

export const mediaJobMigrations: readonly Migration[] = [
  {
    id: 'media-gallery/0003-jobs',
    up: ({ text, int, bytes }) => [
      `create table media_jobs (
        id ${text} primary key,
        account_id ${text} not null,
        kind ${text} not null,
        status ${text} not null,
        model ${text} not null,
        plugin_id ${text} not null,
        prompt ${bytes} not null,
        options ${bytes} not null,
        handle ${bytes},
        failure ${text},
        missing_count ${int} not null,
        missing_reason ${text},
        progress ${int},
        cancellable ${int} not null,
        process_id ${text} not null,
        token_id ${text},
        key_digest ${text},
        body_digest ${text},
        polled_at ${int} not null,
        collect_at ${int} not null,
        collected ${int} not null,
        asked_at ${int} not null,
        lease ${text},
        lease_until ${int} not null,
        created_at ${int} not null,
        updated_at ${int} not null,
        ended_at ${int}
      )`,
      'create index media_jobs_by_account on media_jobs (account_id, created_at, id)',
      'create unique index media_jobs_by_key on media_jobs (account_id, key_digest) where key_digest is not null',
      'create index media_jobs_open on media_jobs (collect_at) where ended_at is null',
      'create index media_jobs_by_end on media_jobs (ended_at)',
    ],
  },
  {
    id: 'media-gallery/0004-partials',
    up: ({ text, int, bytes }) => [
      `create table media_job_partials (
        job_id ${text} primary key,
        account_id ${text} not null,
        number ${int} not null,
        mime_type ${text} not null,
        picture ${bytes} not null
      )`,
      'create index media_job_partials_by_account on media_job_partials (account_id)',
    ],
  },
  {
    id: 'media-gallery/0005-job-chats',
    up: ({ text }) => [`alter table media_jobs add column chat_id ${text}`],
  },
]

export const mediaJobSealed: readonly SealedColumn[] = [
  ...sealedColumns('media_jobs', ['prompt', 'options', 'handle'], { owner: 'account_id' }),
  ...sealedColumns('media_job_partials', ['picture'], { key: ['job_id'], owner: 'account_id' }),
]
