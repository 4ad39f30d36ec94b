/** Routes by which media is made, and followed while it is. */
import { z } from 'zod'
import { Id, page } from '../common.ts'
import { bytes, routes } from '../route.ts'
import { MadePictures, MediaJob, MediaModels, VideoJob } from './jobs.ts'
import { ImageEditForm, ImageVariation, ImageWish, SoundWish, SpeechWish, VideoWish } from './making.ts'
import { MediaItem } from './shapes.ts'

const ByJob = z.strictObject({ jobId: Id })
const JobsQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  active: z.enum(['true', 'false']).optional(),
})

/** Pictures of an edit: four, and a mask. */
export const maxEditBytes = 50 * 1024 * 1024

/** What every route that makes something may be refused with. */
export const makingErrors = [
  'model_unavailable',
  'media_moderated',
  'media_stopped',
  'media_not_found',
  'over_budget',
  'api_key_needed',
  'provider_failed',
  'provider_unreachable',
  'provider_rejected',
  'unavailable',
  'quota_full',
  'storage_full',
  'id_reused',
  'job_not_found',
] as const

const making = {
  method: 'post',
  access: 'user',
  limit: 'media-making',
  errors: [...makingErrors, 'media_type_not_allowed', 'too_large'],
} as const

export const mediaMakingRoutes = routes({
  models: {
    method: 'get',
    path: '/api/media/models',
    access: 'user',
    summary: 'List the models that create images, videos, speech and sound, or transcribe audio, with their options',
    returns: MediaModels,
  },
  generateImage: {
    ...making,
    path: '/api/media/image/generate',
    summary: 'Create images from a prompt. Withheld ones are reported along with the results',
    body: ImageWish,
    returns: MadePictures,
  },
  editImage: {
    ...making,
    path: '/api/media/image/edit',
    summary: 'Create images from up to four others, uploaded or from your gallery, with an optional mask',
    upload: { maxBytes: maxEditBytes, form: ImageEditForm },
    returns: MadePictures,
  },
  varyImage: {
    ...making,
    path: '/api/media/image/variations',
    summary: 'Create variations of your image, from the image if the model can, otherwise from its prompt',
    body: ImageVariation,
    returns: MadePictures,
  },
  generateSpeech: {
    ...making,
    path: '/api/media/audio/generate',
    summary: 'Create speech from text and save it',
    body: SpeechWish,
    returns: MediaItem,
  },
  generateSound: {
    ...making,
    path: '/api/media/sound/generate',
    summary: 'Create a sound from a prompt',
    body: SoundWish,
    returns: MediaItem,
  },
  generateVideo: {
    ...making,
    path: '/api/media/video/generate',
    summary: 'Create a video. This takes minutes; check its job for progress',
    body: VideoWish,
    status: 202,
    returns: VideoJob,
  },
  videoJobs: {
    method: 'get',
    path: '/api/media/video/jobs',
    access: 'user',
    limit: 'media-polling',
    summary:
      'List your newest video jobs without asking their providers. `active=true` lists those that have not ended',
    query: JobsQuery,
    returns: z.strictObject({ jobs: z.array(MediaJob) }),
  },
  videoJob: {
    method: 'get',
    path: '/api/media/video/jobs/{jobId}',
    access: 'user',
    names: 'own',
    limit: 'media-polling',
    summary: 'Get the state of a video job. Asks the provider, and saves the video if it is done',
    params: ByJob,
    returns: VideoJob,
    errors: ['job_not_found'],
  },
  resumeVideo: {
    method: 'post',
    path: '/api/media/video/jobs/{jobId}/resume',
    access: 'user',
    names: 'own',
    limit: 'media-polling',
    summary: 'Retry a video job whose result couldn’t be saved. A cancelled or refused one stays as it is',
    params: ByJob,
    returns: VideoJob,
    errors: ['job_not_found'],
  },
  cancelVideo: {
    method: 'delete',
    path: '/api/media/video/jobs/{jobId}',
    access: 'user',
    names: 'own',
    limit: 'media-polling',
    summary: 'Cancel a video job: at the provider if possible, and here in any case',
    params: ByJob,
    returns: VideoJob,
    errors: ['job_not_found', 'media_job_ended'],
  },
  jobs: {
    method: 'get',
    path: '/api/media/jobs',
    access: 'user',
    summary: 'List your newest jobs of every kind. `active=true` lists those that have not ended',
    query: JobsQuery,
    returns: page(MediaJob),
  },
  jobPartial: {
    method: 'get',
    path: '/api/media/jobs/{jobId}/partial',
    access: 'user',
    names: 'own',
    limit: 'thumbnail',
    summary: 'Get a preview of an image while it is being created',
    params: ByJob,
    query: z.strictObject({ number: z.coerce.number().int().min(1).optional() }),
    returns: bytes,
    errors: ['job_not_found'],
  },
  stopJob: {
    method: 'delete',
    path: '/api/media/jobs/{jobId}',
    access: 'user',
    names: 'own',
    summary: 'Cancel one of your jobs of any kind',
    params: ByJob,
    returns: MediaJob,
    errors: ['job_not_found', 'media_job_ended'],
  },
})
