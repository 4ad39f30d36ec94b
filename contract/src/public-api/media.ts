/** What is asked for pictures, speech and transcriptions, in the words of the common clients. */
import { z } from 'zod'
import { modelId } from './model-id.ts'

export const ImageBody = z.looseObject({
  model: modelId,
  prompt: z.string().min(1).max(100_000),
  n: z.number().int().min(1).max(10).nullish(),
  size: z.string().max(50).nullish(),
  quality: z.string().max(50).nullish(),
  style: z.string().max(50).nullish(),
  background: z.string().max(50).nullish(),
  output_format: z.string().max(50).nullish(),
  response_format: z.enum(['url', 'b64_json']).nullish(),
  stream: z.boolean().nullish(),
  /** Pictures as far as they are, before the whole one, in a stream. */
  partial_images: z.number().int().min(0).max(3).nullish(),
})
export type ImageBody = z.infer<typeof ImageBody>

/** The fields of the form beside its pictures, `image` or `image[]`, and its `mask`. */
export const ImageEditForm = z.looseObject({
  model: modelId,
  prompt: z.string().min(1).max(100_000),
  n: z.coerce.number().int().min(1).max(10).optional(),
  size: z.string().max(50).optional(),
  quality: z.string().max(50).optional(),
  background: z.string().max(50).optional(),
  output_format: z.string().max(50).optional(),
  response_format: z.enum(['url', 'b64_json']).optional(),
  stream: z.enum(['true', 'false']).optional(),
  partial_images: z.coerce.number().int().min(0).max(3).optional(),
})
export type ImageEditForm = z.infer<typeof ImageEditForm>

/** The fields of the form beside its one `image`. */
export const ImageVariationForm = z.looseObject({
  model: modelId,
  n: z.coerce.number().int().min(1).max(10).optional(),
  size: z.string().max(50).optional(),
  response_format: z.enum(['url', 'b64_json']).optional(),
})
export type ImageVariationForm = z.infer<typeof ImageVariationForm>

export const SpeechBody = z.looseObject({
  model: modelId,
  input: z.string().min(1).max(100_000),
  voice: z.union([z.string().min(1).max(200), z.looseObject({ id: z.string().min(1).max(200) })]).nullish(),
  response_format: z.enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']).nullish(),
  speed: z.number().min(0.25).max(4).nullish(),
  instructions: z.string().max(10_000).nullish(),
  stream_format: z.enum(['audio', 'sse']).nullish(),
})
export type SpeechBody = z.infer<typeof SpeechBody>

/** The fields of the form beside its file. */
export const TranscriptionForm = z.looseObject({
  model: modelId,
  language: z.string().max(20).optional(),
  prompt: z.string().max(10_000).optional(),
  response_format: z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt']).optional(),
  temperature: z.coerce.number().min(0).max(1).optional(),
  stream: z.enum(['true', 'false']).optional(),
})
export type TranscriptionForm = z.infer<typeof TranscriptionForm>

/** The same for what is wanted in English. */
export const TranslationForm = TranscriptionForm.omit({ language: true, stream: true })
export type TranslationForm = z.infer<typeof TranslationForm>
