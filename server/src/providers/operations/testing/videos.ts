/** Recorded exchanges of films, in the shapes that their makers document. */
import type { Exchange } from './exchange.ts'
import { endsWith, falExchange, picture, pixel, sayBytes, toBase64 } from './samples.ts'

const film = { prompt: 'Waves', seconds: 4, resolution: '720p', aspectRatio: '16:9', generateAudio: true, key: 'k-1' }

const interaction = (video: object) => ({
  id: 'v1_abc',
  status: 'completed',
  steps: [
    { type: 'thought', content: [] },
    { type: 'model_output', content: [{ type: 'video', mime_type: 'video/mp4', ...video }] },
  ],
  usage: { output_tokens_by_modality: [{ modality: 'video', tokens: 4000 }] },
})

const veo = 'projects/kites/locations/us-central1/publishers/google/models/veo-3.1-generate-001'
const operation = (response: object) => ({
  body: {
    name: `${veo}/operations/o-1`,
    done: true,
    response: { '@type': 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse', ...response },
  },
})

export const videos: readonly Exchange[] = [
  {
    operation: 'video',
    format: 'common',
    endpoint: '/api/v1/videos',
    model: 'runway/gen-4.5',
    config: { supports_idempotency: true, cancel_endpoint: '/api/v1/videos/{job_id}/cancel' },
    ask: { ...film, firstFrame: picture },
    answers: {
      'POST /api/v1/videos': {
        status: 202,
        body: { id: 'job-1', polling_url: '/api/v1/videos/job-1', status: 'pending' },
      },
      'GET /api/v1/videos/job-1': {
        body: { id: 'job-1', status: 'completed', unsigned_urls: ['{base}/x'], usage: { cost: 0.5 } },
      },
    },
    said: [
      {
        path: 'POST /api/v1/videos',
        json: {
          model: 'runway/gen-4.5',
          prompt: 'Waves',
          duration: 4,
          resolution: '720p',
          aspect_ratio: '16:9',
          generate_audio: true,
          frame_images: [{ type: 'image_url', frame_type: 'first_frame' }],
        },
      },
      { path: 'GET /api/v1/videos/job-1' },
    ],
    result: { found: { at: { address: endsWith('/api/v1/videos/job-1/content?index=0') } } },
    moderated: {
      'GET /api/v1/videos/job-1': { body: { id: 'job-1', status: 'failed', error: 'Blocked by content policy' } },
    },
    forgotten: ['GET /api/v1/videos/job-1'],
    cancels: 'POST /api/v1/videos/job-1/cancel',
  },
  {
    operation: 'video',
    format: 'openai',
    endpoint: '/v1/videos',
    model: 'wan-2.7',
    ask: film,
    answers: {
      'POST /v1/videos': { body: { id: 'video_1', object: 'video', status: 'queued', progress: 0, seconds: '4' } },
      'GET /v1/videos/video_1': { body: { id: 'video_1', status: 'completed', progress: 100 } },
    },
    said: [
      { path: 'POST /v1/videos', json: { model: 'wan-2.7', prompt: 'Waves', seconds: '4', size: '1280x720' } },
      { path: 'GET /v1/videos/video_1' },
    ],
    result: { found: { at: { address: endsWith('/v1/videos/video_1/content') } } },
    moderated: {
      'GET /v1/videos/video_1': { body: { id: 'video_1', status: 'failed', error: { code: 'moderation_blocked' } } },
    },
    forgotten: ['GET /v1/videos/video_1'],
    cancels: 'DELETE /v1/videos/video_1',
  },
  {
    operation: 'video',
    format: 'xai',
    endpoint: '/v1/videos/generations',
    model: 'grok-imagine-video',
    ask: film,
    answers: {
      'POST /v1/videos/generations': { body: { request_id: 'req-1' } },
      'GET /v1/videos/req-1': {
        body: { status: 'done', video: { url: '{strange}/strange/v.mp4', duration: 4, respect_moderation: true } },
      },
    },
    said: [
      {
        path: 'POST /v1/videos/generations',
        json: { model: 'grok-imagine-video', prompt: 'Waves', duration: 4, aspect_ratio: '16:9', resolution: '720p' },
      },
      { path: 'GET /v1/videos/req-1' },
    ],
    result: { found: { address: endsWith('/strange/v.mp4') } },
    moderated: {
      'GET /v1/videos/req-1': { body: { status: 'done', video: { url: 'x', respect_moderation: false } } },
    },
    forgotten: ['GET /v1/videos/req-1'],
  },
  {
    operation: 'video',
    format: 'gemini',
    endpoint: '/v1beta/interactions',
    model: 'gemini-omni-1.1-flash',
    ask: { ...film, firstFrame: picture },
    answers: {
      'POST /v1beta/interactions': { body: { id: 'v1_abc', status: 'in_progress', object: 'interaction' } },
      'GET /v1beta/interactions/v1_abc': { body: interaction({ uri: '{base}/v1beta/files/f1:download?alt=media' }) },
    },
    said: [
      {
        path: 'POST /v1beta/interactions',
        json: {
          model: 'gemini-omni-1.1-flash',
          background: true,
          input: [
            { type: 'image', mime_type: 'image/png' },
            { type: 'text', text: 'Waves' },
          ],
          response_format: { type: 'video', delivery: 'uri', aspect_ratio: '16:9', resolution: '720p', duration: '4s' },
        },
      },
      { path: 'GET /v1beta/interactions/v1_abc' },
    ],
    result: { found: { at: { address: endsWith('/v1beta/files/f1:download?alt=media') } } },
    moderated: {
      'GET /v1beta/interactions/v1_abc': {
        body: {
          id: 'v1_abc',
          status: 'completed',
          steps: [{ type: 'model_output', content: [{ type: 'text', text: 'I cannot make this.' }] }],
        },
      },
    },
    forgotten: ['GET /v1beta/interactions/v1_abc'],
    cancels: 'POST /v1beta/interactions/v1_abc/cancel',
  },
  {
    operation: 'video',
    format: 'gemini',
    title: 'within the answer',
    endpoint: '/v1beta/interactions',
    model: 'gemini-omni-1.1-flash',
    ask: { prompt: 'Waves' },
    answers: {
      'POST /v1beta/interactions': { body: { id: 'v1_abc', status: 'queued' } },
      'GET /v1beta/interactions/v1_abc': { body: interaction({ data: toBase64(pixel) }) },
    },
    said: [{ path: 'POST /v1beta/interactions', json: { input: 'Waves' } }],
    result: { found: { base64: toBase64(pixel) } },
    moderated: {
      'GET /v1beta/interactions/v1_abc': {
        body: { id: 'v1_abc', status: 'failed', error: { code: 'SAFETY', message: 'No' } },
      },
    },
    forgotten: ['GET /v1beta/interactions/v1_abc'],
  },
  {
    operation: 'video',
    format: 'vertex',
    endpoint: `/v1/${veo}:predictLongRunning`,
    model: 'veo-3.1-generate-001',
    ask: { ...film, firstFrame: picture, lastFrame: picture, seed: 7 },
    answers: {
      [`POST /v1/${veo}:predictLongRunning`]: { body: { name: `${veo}/operations/o-1` } },
      [`POST /v1/${veo}:fetchPredictOperation`]: operation({
        raiMediaFilteredCount: 0,
        videos: [{ bytesBase64Encoded: toBase64(pixel), mimeType: 'video/mp4' }],
      }),
    },
    said: [
      {
        path: `POST /v1/${veo}:predictLongRunning`,
        json: {
          instances: [
            {
              prompt: 'Waves',
              image: { bytesBase64Encoded: toBase64(pixel), mimeType: 'image/png' },
              lastFrame: { bytesBase64Encoded: toBase64(pixel), mimeType: 'image/png' },
            },
          ],
          parameters: {
            sampleCount: 1,
            durationSeconds: 4,
            resolution: '720p',
            aspectRatio: '16:9',
            generateAudio: true,
            seed: 7,
          },
        },
      },
      { path: `POST /v1/${veo}:fetchPredictOperation`, json: { operationName: `${veo}/operations/o-1` } },
    ],
    result: { found: { base64: toBase64(pixel) } },
    moderated: {
      [`POST /v1/${veo}:fetchPredictOperation`]: operation({
        raiMediaFilteredCount: 1,
        raiMediaFilteredReasons: ['Support codes: 58061214'],
      }),
    },
    forgotten: [`POST /v1/${veo}:fetchPredictOperation`],
  },
  falExchange('video', 'fal-ai/kling-video', film, {
    sent: { prompt: 'Waves', duration: '4', aspect_ratio: '16:9' },
    done: { video: { url: '{strange}/strange/v.mp4', content_type: 'video/mp4' } },
    media: sayBytes('video/mp4', pixel),
    result: { found: { address: endsWith('/strange/v.mp4') } },
  }),
]
