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
    summary: 'The models that make pictures, films, speech and sound, or write sound down, with their choices',
    returns: MediaModels,
  },
  generateImage: {
    ...making,
    path: '/api/media/image/generate',
    summary: 'Make pictures from words. What was withheld is told beside what was made',
    body: ImageWish,
    returns: MadePictures,
  },
  editImage: {
    ...making,
    path: '/api/media/image/edit',
    summary: 'Make pictures from up to four others, sent or of the own gallery, with a mask',
    upload: { maxBytes: maxEditBytes, form: ImageEditForm },
    returns: MadePictures,
  },
  varyImage: {
    ...making,
    path: '/api/media/image/variations',
    summary: 'Make more like an own picture: from it where the model can, else from its prompt',
    body: ImageVariation,
    returns: MadePictures,
  },
  generateSpeech: {
    ...making,
    path: '/api/media/audio/generate',
    summary: 'Have a text read aloud, and keep it',
    body: SpeechWish,
    returns: MediaItem,
  },
  generateSound: {
    ...making,
    path: '/api/media/sound/generate',
    summary: 'Make a sound from words',
    body: SoundWish,
    returns: MediaItem,
  },
  generateVideo: {
    ...making,
    path: '/api/media/video/generate',
    summary: 'Have a film made. It takes minutes: ask for its job',
    body: VideoWish,
    status: 202,
    returns: VideoJob,
  },
  videoJobs: {
    method: 'get',
    path: '/api/media/video/jobs',
    access: 'user',
    limit: 'media-polling',
    summary: 'The newest own jobs of films, without asking their providers; `active=true`: those that have not ended',
    query: JobsQuery,
    returns: z.strictObject({ jobs: z.array(MediaJob) }),
  },
  videoJob: {
    method: 'get',
    path: '/api/media/video/jobs/{jobId}',
    access: 'user',
    names: 'own',
    limit: 'media-polling',
    summary: 'How a film stands. Asks its provider, and takes it up when it is done',
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
    summary: 'Ask for a film again that could not be taken up; one that was cancelled or refused stays as it is',
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
    summary: 'Stop a film: at its provider where that is possible, and here in any case',
    params: ByJob,
    returns: VideoJob,
    errors: ['job_not_found', 'media_job_ended'],
  },
  jobs: {
    method: 'get',
    path: '/api/media/jobs',
    access: 'user',
    summary: 'The newest own jobs of every kind; `active=true`: those that have not ended',
    query: JobsQuery,
    returns: page(MediaJob),
  },
  jobPartial: {
    method: 'get',
    path: '/api/media/jobs/{jobId}/partial',
    access: 'user',
    names: 'own',
    limit: 'thumbnail',
    summary: 'A picture as far as it is, while it is made',
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
    summary: 'Stop an own job of any kind',
    params: ByJob,
    returns: MediaJob,
    errors: ['job_not_found', 'media_job_ended'],
  },
})
