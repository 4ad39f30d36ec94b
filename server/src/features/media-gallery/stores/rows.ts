/** Rows become what the contract says, and back. */
import { type MediaAlbum, MediaFacts, type MediaItem } from '@atrium/contract/media-gallery'
import { openWords, storedJson, unlessUnreadable } from '../../../platform/stored-json.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import { contentPath, hasThumbnail, thumbnailPath } from '../rules.ts'
import type { MediaAlbumRow, MediaItemRow } from '../tables.ts'

const optionsJson = storedJson('media_items.options', MediaFacts)
const metadataJson = storedJson('media_items.metadata', MediaFacts)

/** What of an item is sealed. */
export interface MediaWords {
  readonly title: string
  readonly prompt: string
  readonly alt: string
  readonly options: MediaFacts
  readonly metadata: MediaFacts
}

export const sealWords = (
  keys: Keyring,
  id: string,
  { title, prompt, alt, options, metadata }: MediaWords,
): Pick<MediaItemRow, keyof MediaWords> => ({
  title: sealTitle(keys, id, title),
  prompt: keys.seal('media_items.prompt', id, prompt),
  alt: sealAlt(keys, id, alt),
  options: optionsJson.seal(keys, id, options),
  metadata: metadataJson.seal(keys, id, metadata),
})

export const sealTitle = (keys: Keyring, id: string, title: string) => keys.seal('media_items.title', id, title)
export const sealAlt = (keys: Keyring, id: string, alt: string) => keys.seal('media_items.alt', id, alt)

export const openTitle = (keys: Keyring, row: Pick<MediaItemRow, 'id' | 'title'>): string =>
  openWords(keys, 'media_items.title', row.id, row.title)
export const openPrompt = (keys: Keyring, row: Pick<MediaItemRow, 'id' | 'prompt'>): string =>
  openWords(keys, 'media_items.prompt', row.id, row.prompt)

/** What of an item stands in other rows. */
export interface ItemLinks {
  /** Ids of those that are still in the gallery. */
  readonly sources: readonly string[]
  readonly albumIds: readonly string[]
}

/** `keys` are the owner's. */
export const rowToItem = (keys: Keyring, row: MediaItemRow, { sources, albumIds }: ItemLinks): MediaItem => ({
  id: row.id,
  kind: row.kind,
  title: openTitle(keys, row),
  prompt: openPrompt(keys, row),
  model: row.model,
  pluginId: row.plugin_id,
  mediaData: contentPath(row.id),
  thumbnail: hasThumbnail(row) ? thumbnailPath(row.id) : null,
  mimeType: row.mime_type,
  bytes: row.size_bytes,
  width: row.width,
  height: row.height,
  durationMs: row.duration_ms,
  favourite: row.favourite === 1,
  albumIds: [...albumIds],
  alt: openWords(keys, 'media_items.alt', row.id, row.alt),
  options: unlessUnreadable(() => optionsJson.open(keys, row.id, row.options), {}),
  sources: [...sources],
  metadata: unlessUnreadable(() => metadataJson.open(keys, row.id, row.metadata), {}),
  chatId: row.chat_id,
  createdAt: toIsoTime(row.created_at),
  deletedAt: row.deleted_at === null ? null : toIsoTime(row.deleted_at),
})

export const sealAlbumName = (keys: Keyring, id: string, name: string) => keys.seal('media_albums.name', id, name)
export const openAlbumName = (keys: Keyring, row: Pick<MediaAlbumRow, 'id' | 'name'>): string =>
  openWords(keys, 'media_albums.name', row.id, row.name)

export const rowToAlbum = (
  keys: Keyring,
  row: MediaAlbumRow,
  { count, cover }: { readonly count: number; readonly cover: MediaItemRow | null },
): MediaAlbum => ({
  id: row.id,
  name: openAlbumName(keys, row),
  count,
  coverId: cover?.id ?? null,
  thumbnail: cover && hasThumbnail(cover) ? thumbnailPath(cover.id) : null,
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
})
