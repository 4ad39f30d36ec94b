/** Media jobs: one thing being made each, as a record that outlives the connection it was asked over. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'
import { Cost } from '../generation.ts'
import { MediaFacts, MediaItem } from './shapes.ts'

export const MediaJobKind = z.enum(['image', 'speech', 'sound', 'video'])
export type MediaJobKind = z.infer<typeof MediaJobKind>

export const MediaJobStatus = z.enum(['pending', 'in_progress', 'completed', 'failed'])
export type MediaJobStatus = z.infer<typeof MediaJobStatus>

/** Why a job failed. */
export const MediaJobFailure = z.enum([
  'refused',
  'moderated',
  'expired',
  'too_large',
  'wrong_type',
  'redirected',
  'address_not_allowed',
  'unreachable',
  'timed_out',
  'over_budget',
  'no_room',
  'interrupted',
  'cancelled',
])
export type MediaJobFailure = z.infer<typeof MediaJobFailure>

export const MissingMedia = z.strictObject({ count: z.number().int().min(1), reason: MediaJobFailure })
export type MissingMedia = z.infer<typeof MissingMedia>

export const MediaJob = z.strictObject({
  id: Id,
  kind: MediaJobKind,
  status: MediaJobStatus,
  model: z.string(),
  pluginId: z.string(),
  /** What was asked for, or what is spoken. */
  prompt: z.string(),
  options: MediaFacts,
  /** From 0 to 1; null where nobody tells. */
  progress: z.number().min(0).max(1).nullable(),
  /** Where the picture lies as far as it is, while it is made; another address for each. */
  partial: z.string().optional(),
  /** Why it failed. */
  error: MediaJobFailure.nullable(),
  /** Why there is less than was asked for. */
  missing: MissingMedia.nullable(),
  /** What was made, in the gallery and not in its trash. */
  galleryIds: z.array(Id),
  galleryId: Id.nullable(),
  /** Whether it can still be stopped. */
  cancellable: z.boolean(),
  createdAt: Time,
  updatedAt: Time,
})
export type MediaJob = z.infer<typeof MediaJob>

/** A job with what came of it. */
export const VideoJob = MediaJob.extend({ media: MediaItem.nullable() })
export type VideoJob = z.infer<typeof VideoJob>

export const MadePictures = z.strictObject({
  jobId: Id,
  items: z.array(MediaItem),
  missing: MissingMedia.nullable(),
})
export type MadePictures = z.infer<typeof MadePictures>

/** One model of one provider, with the choices that its definition lists. */
export const MediaModel = z.strictObject({
  model: z.string(),
  pluginId: z.string(),
  pluginName: z.string(),
  config: z.record(z.string(), z.unknown()),
  /** What one unit costs: a picture, a film, a character that is spoken. Absent where nobody knows. */
  price: Cost.optional(),
  /** What a second of a film costs, beside `price`. */
  secondPrice: Cost.optional(),
})
export type MediaModel = z.infer<typeof MediaModel>

export const MediaModels = z.strictObject({
  image: z.array(MediaModel),
  video: z.array(MediaModel),
  speech: z.array(MediaModel),
  sound: z.array(MediaModel),
  transcription: z.array(MediaModel),
})
export type MediaModels = z.infer<typeof MediaModels>
