/** What is asked for when media is made. */
import { z } from 'zod'
import { Id } from '../common.ts'

export const mostPromptLetters = 100_000
const Word = z.string().trim().min(1).max(200)
const Prompt = z
  .string()
  .min(1)
  .max(mostPromptLetters)
  .refine((text) => text.trim() !== '', 'is empty')
const model = { model: Word, pluginId: Word }
const seed = z.number().int().min(0).max(4_294_967_295)

export const ImageWish = z.strictObject({
  ...model,
  prompt: Prompt,
  n: z.number().int().min(1).max(10).optional(),
  size: Word.optional(),
  quality: Word.optional(),
  style: Word.optional(),
  background: Word.optional(),
  seed: seed.optional(),
})
export type ImageWish = z.infer<typeof ImageWish>

/**
 * The fields of the form beside its pictures, `images` or `image`, and its `mask`: a PNG as large as the first of them,
 * transparent where that is to be drawn anew.
 */
export const ImageEditForm = z.strictObject({
  ...model,
  prompt: Prompt,
  n: z.coerce.number().int().min(1).max(10).optional(),
  size: Word.optional(),
  quality: Word.optional(),
  seed: z.coerce.number().pipe(seed).optional(),
  /** Ids of own pictures, separated by commas. */
  sourceMediaId: z.string().max(1000).optional(),
})
export type ImageEditForm = z.infer<typeof ImageEditForm>

/** More like a picture; what is left out is as it was made. */
export const ImageVariation = z.strictObject({
  mediaId: Id,
  model: Word.optional(),
  pluginId: Word.optional(),
  prompt: Prompt.optional(),
  n: z.number().int().min(1).max(10).optional(),
})
export type ImageVariation = z.infer<typeof ImageVariation>

export const SpeechWish = z.strictObject({
  ...model,
  input: Prompt,
  voice: Word.optional(),
  responseFormat: z.enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']).optional(),
  speed: z.number().min(0.25).max(4).optional(),
})
export type SpeechWish = z.infer<typeof SpeechWish>

export const SoundWish = z.strictObject({
  ...model,
  prompt: Prompt,
  durationMs: z.number().int().min(100).max(600_000).optional(),
  voice: Word.optional(),
  format: z.enum(['wav', 'mp3', 'flac', 'opus', 'pcm16']).optional(),
})
export type SoundWish = z.infer<typeof SoundWish>

export const VideoWish = z.strictObject({
  ...model,
  prompt: Prompt,
  /** Whole seconds. */
  durationMs: z.number().int().min(1000).max(600_000).optional(),
  resolution: Word.optional(),
  aspectRatio: Word.optional(),
  generateAudio: z.boolean().optional(),
  /** An own picture that it begins with. */
  firstFrameId: Id.optional(),
  lastFrameId: Id.optional(),
  seed: seed.optional(),
})
export type VideoWish = z.infer<typeof VideoWish>
