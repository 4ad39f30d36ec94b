/** The earlier routes of pictures alone, in their own names, over the same gallery. */
import { z } from 'zod'
import { Id, Nothing } from '../common.ts'
import { routes } from '../route.ts'
import { MediaModel } from './jobs.ts'
import { makingErrors } from './making-routes.ts'
import { mostPromptLetters } from './making.ts'
import { MediaFacts } from './shapes.ts'

const ByImage = z.strictObject({ imageId: Id })
const Config = z.record(z.string(), z.unknown())
const word = z.string().max(200)

export const ImageGenWish = z.strictObject({
  model: word.min(1),
  pluginId: word.min(1),
  prompt: z.string().min(1).max(mostPromptLetters),
  size: word.optional(),
  quality: word.optional(),
  style: word.optional(),
  n: z.number().int().min(1).max(10).optional(),
  response_format: z.enum(['url', 'b64_json']).optional(),
})
export type ImageGenWish = z.infer<typeof ImageGenWish>

export const ImageGenAnswer = z.strictObject({
  images: z.array(
    z.strictObject({
      url: z.string().optional(),
      b64_json: z.string().optional(),
      mime_type: z.string(),
      revised_prompt: z.string().optional(),
    }),
  ),
  model: z.string(),
  pluginId: z.string(),
  savedToGallery: z.array(Id),
})

/** A picture of the gallery. */
export const ImageGenItem = z.strictObject({
  id: Id,
  userId: Id,
  kind: z.literal('image'),
  prompt: z.string(),
  model: z.string().nullable(),
  pluginId: z.string().nullable(),
  /** Where its bytes are. */
  imageData: z.string(),
  mimeType: z.string(),
  size: z.string().optional(),
  quality: z.string().optional(),
  metadata: MediaFacts,
  /** In milliseconds. */
  createdAt: z.number().int(),
})
export type ImageGenItem = z.infer<typeof ImageGenItem>

export const imageGenRoutes = routes({
  imageModels: {
    method: 'get',
    path: '/api/image-gen/models',
    access: 'user',
    summary: 'List the models that create images',
    returns: z.strictObject({ models: z.array(MediaModel) }),
  },
  imagePlugins: {
    method: 'get',
    path: '/api/image-gen/plugins',
    access: 'user',
    summary: 'List the connections that create images, with their models and options',
    returns: z.array(z.strictObject({ id: z.string(), name: z.string(), models: z.array(z.string()), config: Config })),
  },
  imageConfig: {
    method: 'get',
    path: '/api/image-gen/config/{pluginId}',
    access: 'user',
    names: 'instance',
    summary: 'Get the options of a connection that creates images',
    params: z.strictObject({ pluginId: Id }),
    returns: Config,
    errors: ['model_not_found'],
  },
  imageGenerate: {
    method: 'post',
    path: '/api/image-gen/generate',
    access: 'user',
    limit: 'media-making',
    summary: 'Create images from a prompt. They are also saved in the gallery',
    body: ImageGenWish,
    returns: ImageGenAnswer,
    errors: makingErrors,
  },
  imageGallery: {
    method: 'get',
    path: '/api/image-gen/gallery',
    access: 'user',
    limit: 'gallery',
    summary: 'List your images, newest first',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      offset: z.coerce.number().int().min(0).max(100_000).default(0),
    }),
    returns: z.strictObject({ images: z.array(ImageGenItem), total: z.number().int() }),
  },
  imageRead: {
    method: 'get',
    path: '/api/image-gen/gallery/{imageId}',
    access: 'user',
    names: { resource: 'media', id: 'imageId', right: 'read' },
    limit: 'gallery',
    summary: 'Get one of your images',
    params: ByImage,
    returns: ImageGenItem,
    errors: ['media_not_found'],
  },
  imageRemove: {
    method: 'delete',
    path: '/api/image-gen/gallery/{imageId}',
    access: 'user',
    names: { resource: 'media', id: 'imageId', right: 'owner' },
    limit: 'gallery',
    summary: 'Delete your image. You can restore it for 30 days',
    params: ByImage,
    returns: Nothing,
    errors: ['media_not_found'],
  },
})
