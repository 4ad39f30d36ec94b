/** Items of the gallery, and the types that each kind of them may have. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'

/** What is stored and served of each kind; never SVG, never HTML. */
export const mediaTypes = {
  image: ['image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'],
  video: ['video/mp4', 'video/quicktime', 'video/webm'],
  audio: [
    'audio/aac',
    'audio/flac',
    'audio/L16',
    'audio/mpeg',
    'audio/mp4',
    'audio/ogg',
    'audio/opus',
    'audio/wav',
    'audio/webm',
  ],
} as const

export const MediaKind = z.enum(['image', 'video', 'audio'])
export type MediaKind = z.infer<typeof MediaKind>
export type MediaType = (typeof mediaTypes)[MediaKind][number]

/** The largest item that is stored or served. */
export const maxMediaBytes = 200 * 1024 * 1024
/** The largest picture that may be uploaded. */
export const maxUploadBytes = 25 * 1024 * 1024
/** The largest picture that may be sent to stand for a film. */
export const maxPosterBytes = 4 * 1024 * 1024
export const mostTitleLetters = 200
export const mostAltLetters = 2000
/** The longest `q` of a list. */
export const mostQueryLetters = 400

/** So many items are changed or packed at once by their ids. */
export const mostAtOnce = 200
export const mostAlbums = 200
export const mostAlbumNameLetters = 100

/** By names: what an item was made with, or what is told about it. Its values are JSON. */
export const MediaFacts = z.record(z.string().max(100), z.unknown())
export type MediaFacts = z.infer<typeof MediaFacts>

export const MediaItem = z.strictObject({
  id: Id,
  kind: MediaKind,
  title: z.string(),
  /** What was asked for, or what is spoken; empty for an upload. */
  prompt: z.string(),
  /** null for an upload. */
  model: z.string().nullable(),
  pluginId: z.string().nullable(),
  /** Where its bytes are. */
  mediaData: z.string(),
  /** Where a small picture of it is; null where there is none. */
  thumbnail: z.string().nullable(),
  mimeType: z.string(),
  bytes: z.number().int(),
  /** In pixels, as it is shown. */
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  durationMs: z.number().int().nullable(),
  favourite: z.boolean(),
  /** Those of the own albums that it is in. */
  albumIds: z.array(Id),
  /** What it shows, for who cannot see it. */
  alt: z.string(),
  /** What it was made with, to make another with the same. */
  options: MediaFacts,
  /** Ids of the items that it was made from and that are still in the gallery. */
  sources: z.array(Id),
  metadata: MediaFacts,
  /** The chat that it was made in. */
  chatId: Id.nullable(),
  createdAt: Time,
  /** When it went to the trash. */
  deletedAt: Time.nullable(),
})
export type MediaItem = z.infer<typeof MediaItem>

/** Items under one name, in an order of their own. An item can be in several. */
export const MediaAlbum = z.strictObject({
  id: Id,
  name: z.string(),
  /** Of items that are not in the trash. */
  count: z.number().int(),
  /** The item that stands for it: the chosen one, else the first. */
  coverId: Id.nullable(),
  /** A small picture of that; null where there is none. */
  thumbnail: z.string().nullable(),
  createdAt: Time,
  updatedAt: Time,
})
export type MediaAlbum = z.infer<typeof MediaAlbum>

/** What the gallery takes, the trash included, and how much it may. */
export const MediaStorage = z.strictObject({
  usedBytes: z.number().int(),
  /** null: as much as the account may keep at all. */
  quotaBytes: z.number().int().nullable(),
  trashedBytes: z.number().int(),
  kinds: z.array(z.strictObject({ kind: MediaKind, count: z.number().int(), bytes: z.number().int() })),
})
export type MediaStorage = z.infer<typeof MediaStorage>
