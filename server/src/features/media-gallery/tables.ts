import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface MediaItemRow {
  id: string
  account_id: string
  kind: 'image' | 'video' | 'audio'
  /** Sealed, as are the five below; JSON in the options and the metadata. */
  title: Uint8Array
  prompt: Uint8Array
  alt: Uint8Array
  options: Uint8Array
  metadata: Uint8Array
  model: string | null
  plugin_id: string | null
  mime_type: string
  size_bytes: number
  width: number | null
  height: number | null
  duration_ms: number | null
  favourite: number
  /** Of the platform's files. */
  file_id: string
  /** A small picture of it; null where it is its own, or has none. */
  thumbnail_file_id: string | null
  thumbnail_type: string | null
  /** What it was made by, where that is a record. */
  job_id: string | null
  /** The chat that it was made in. */
  chat_id: string | null
  created_at: number
  updated_at: number
  /** When it went to the trash. */
  deleted_at: number | null
}

/** What an item was made from. */
export interface MediaSourceRow {
  media_id: string
  /** Counts from 0. */
  place: number
  source_id: string
}

export interface MediaAlbumRow {
  id: string
  account_id: string
  /** Sealed. */
  name: Uint8Array
  /** Its place among the albums of the account; those of one place stand by id. */
  place: number
  /** The item that was chosen to stand for it; it may be gone. */
  cover_id: string | null
  created_at: number
  updated_at: number
}

/** That an item is in an album. */
export interface MediaAlbumItemRow {
  album_id: string
  media_id: string
  place: number
}

export interface MediaTables {
  media_albums: MediaAlbumRow
  media_album_items: MediaAlbumItemRow
  media_items: MediaItemRow
  media_sources: MediaSourceRow
}

export const mediaMigrations: readonly Migration[] = [
  {
    id: 'media-gallery/0001-items',
    up: ({ text, int, bytes }) => [
      `create table media_items (
        id ${text} primary key,
        account_id ${text} not null,
        kind ${text} not null,
        title ${bytes} not null,
        prompt ${bytes} not null,
        alt ${bytes} not null,
        options ${bytes} not null,
        metadata ${bytes} not null,
        model ${text},
        plugin_id ${text},
        mime_type ${text} not null,
        size_bytes ${int} not null,
        width ${int},
        height ${int},
        duration_ms ${int},
        favourite ${int} not null,
        file_id ${text} not null,
        thumbnail_file_id ${text},
        thumbnail_type ${text},
        job_id ${text},
        created_at ${int} not null,
        updated_at ${int} not null,
        deleted_at ${int}
      )`,
      'create index media_items_by_account on media_items (account_id, created_at, id) where deleted_at is null',
      'create index media_items_by_kind on media_items (account_id, kind, created_at, id) where deleted_at is null',
      'create index media_items_in_trash on media_items (account_id, deleted_at, id) where deleted_at is not null',
      'create index media_items_by_deletion on media_items (deleted_at)',
      'create index media_items_by_job on media_items (job_id)',
      `create table media_sources (
        media_id ${text} not null references media_items (id) on delete cascade,
        place ${int} not null,
        source_id ${text} not null,
        primary key (media_id, place)
      )`,
      'create index media_sources_by_source on media_sources (source_id)',
    ],
  },
  {
    id: 'media-gallery/0002-albums',
    up: ({ text, int, bytes }) => [
      `alter table media_items add column chat_id ${text}`,
      `create table media_albums (
        id ${text} primary key,
        account_id ${text} not null,
        name ${bytes} not null,
        place ${int} not null,
        cover_id ${text},
        created_at ${int} not null,
        updated_at ${int} not null
      )`,
      'create index media_albums_by_account on media_albums (account_id, place, id)',
      `create table media_album_items (
        album_id ${text} not null references media_albums (id) on delete cascade,
        media_id ${text} not null references media_items (id) on delete cascade,
        place ${int} not null,
        primary key (album_id, media_id)
      )`,
      'create index media_album_items_by_place on media_album_items (album_id, place, media_id)',
      'create index media_album_items_by_item on media_album_items (media_id)',
    ],
  },
]

export const mediaSealed: readonly SealedColumn[] = [
  ...sealedColumns('media_items', ['title'], { owner: 'account_id', words: { entry: "'media:' || id" } }),
  ...sealedColumns('media_albums', ['name'], { owner: 'account_id', words: { entry: "'album:' || id" } }),
  ...sealedColumns('media_items', ['prompt', 'alt', 'options', 'metadata'], { owner: 'account_id' }),
]
