import type { LinkRow } from '../../core/access/index.ts'
import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface ArtifactRow {
  id: string
  account_id: string
  kind: string
  /** Sealed JSON: title and language. */
  about: Uint8Array
  chat_id: string | null
  /** The number of the newest version. */
  version: number
  size_bytes: number
  created_at: number
  updated_at: number
  /** When it went to the trash. */
  deleted_at: number | null
}

export interface ArtifactVersionRow {
  artifact_id: string
  number: number
  /** Whose the artifact is. */
  account_id: string
  /** Sealed. */
  content: Uint8Array
  size_bytes: number
  author_kind: string
  /** The person who wrote it, or for whom a model did. */
  author_id: string
  restored_from: number | null
  /** The call of a tool that wrote it: the same call writes it once. */
  call_digest: string | null
  created_at: number
  /** It was saved by itself while somebody wrote, and since when; null: it stays. */
  autosave_since: number | null
}

/** A link by which an artifact is shared with whoever has it. */
export interface ArtifactLinkRow extends LinkRow {
  artifact_id: string
  /** The one version that it shows; null: the newest. */
  version: number | null
  /** How often it was opened. */
  open_count: number
}

export interface ArtifactTables {
  artifacts: ArtifactRow
  artifact_versions: ArtifactVersionRow
  artifact_links: ArtifactLinkRow
}

export const artifactMigrations: readonly Migration[] = [
  {
    id: 'artifacts/0001-artifacts',
    up: ({ text, int, bytes }) => [
      `create table artifacts (
        id ${text} primary key,
        account_id ${text} not null,
        kind ${text} not null,
        about ${bytes} not null,
        chat_id ${text},
        version ${int} not null,
        size_bytes ${int} not null,
        created_at ${int} not null,
        updated_at ${int} not null,
        deleted_at ${int}
      )`,
      'create index artifacts_by_account on artifacts (account_id, updated_at, id)',
      'create index artifacts_by_chat on artifacts (chat_id, updated_at, id)',
      'create index artifacts_by_deletion on artifacts (deleted_at)',
      `create table artifact_versions (
        artifact_id ${text} not null references artifacts (id) on delete cascade,
        number ${int} not null,
        account_id ${text} not null,
        content ${bytes} not null,
        size_bytes ${int} not null,
        author_kind ${text} not null,
        author_id ${text} not null,
        restored_from ${int},
        call_digest ${text},
        created_at ${int} not null,
        primary key (artifact_id, number)
      )`,
    ],
  },
  {
    // Those that are there already count against the quota, too.
    id: 'artifacts/0002-room',
    up: () => [
      `insert into files (id, account_id, size, chunks, complete, created_at, counted, streamed, held)
        select 'artifact:' || artifact_id, min(account_id), sum(size_bytes), 0, 1, min(created_at), 1, 0, 1
        from artifact_versions group by artifact_id`,
    ],
  },
  {
    id: 'artifacts/0003-links',
    up: ({ text, int }) => [
      `create table artifact_links (
        id ${text} primary key,
        artifact_id ${text} not null references artifacts (id) on delete cascade,
        account_id ${text} not null,
        secret_digest ${text} not null,
        version ${int},
        open_count ${int} not null default 0,
        password ${text},
        wrong_passwords ${int} not null default 0,
        wrong_since ${int} not null default 0,
        expires_at ${int} not null,
        created_at ${int} not null
      )`,
      'create unique index artifact_links_secret on artifact_links (secret_digest)',
      'create index artifact_links_artifact on artifact_links (artifact_id)',
      'create index artifact_links_account on artifact_links (account_id, created_at, id)',
      'create index artifact_links_end on artifact_links (expires_at)',
    ],
  },
  {
    id: 'artifacts/0004-autosave',
    up: ({ int }) => [`alter table artifact_versions add column autosave_since ${int}`],
  },
]

export const artifactSealed: readonly SealedColumn[] = [
  ...sealedColumns('artifacts', ['about'], {
    owner: 'account_id',
    words: { entry: "'artifact:' || id", member: 'title', where: 'deleted_at is null' },
  }),
  ...sealedColumns('artifact_versions', ['content'], {
    key: ['artifact_id', 'number'],
    row: "artifact_id || ':' || number",
    owner: 'account_id',
  }),
]
