/**
 * Films over Gemini's Interactions, where they are made since Veo ended there: an interaction in the background, asked
 * about by its id, with the film in its last step, as a file's address or as base64.
 */
import { asArray, asObject, asText, type Json } from '../../wires/json.ts'
import type { Found, FoundVideo, TaskFormat, TaskState } from '../format.ts'
import { omitUndefined, unreadableAnswer } from '../route.ts'
import type { SourcePicture, VideoAsk } from '../types.ts'
import { idOf, jobAddress } from './openrouter-video.ts'

export const geminiVideo: TaskFormat<VideoAsk, FoundVideo> = {
  holdsResult: true,
  say: (ask, { model, also }) => ({
    json: {
      ...also,
      model,
      input: ask.firstFrame ? [imageOf(ask.firstFrame), { type: 'text', text: ask.prompt }] : ask.prompt,
      // Otherwise the answer waits for the film.
      background: true,
      response_format: omitUndefined({
        type: 'video',
        delivery: 'uri',
        aspect_ratio: ask.aspectRatio,
        resolution: ask.resolution,
        duration: ask.seconds === undefined ? undefined : `${ask.seconds}s`,
      }),
    },
  }),
  accepted: (reply) => idOf(reply),
  whereToAsk: (handle, about) => ({ address: jobAddress(about, handle) }),
  state({ json }): TaskState {
    const answer = asObject(json)
    const status = asText(answer?.['status'])
    switch (status) {
      case 'queued':
        return { state: 'waiting', progress: null }
      case 'in_progress':
        return { state: 'running', progress: null }
      case 'completed':
        // Words instead of a film are how it says that it will not make one.
        return videoIn(answer) || hasMadeVideo(answer) ? { state: 'done' } : { state: 'failed', reason: 'moderated' }
      case 'failed':
      case 'incomplete':
      case 'budget_exceeded':
      case 'requires_action':
        return {
          state: 'failed',
          reason: withheld.test(JSON.stringify(answer?.['error'] ?? '')) ? 'moderated' : 'refused',
        }
      case 'cancelled':
      case 'expired':
        return { state: 'failed', reason: status }
      default:
        throw unreadableAnswer()
    }
  },
  result({ json }, _handle, { endpoint }) {
    const video = videoIn(asObject(json))
    if (!video) throw unreadableAnswer()
    const base64 = asText(video['data'])
    return { found: base64 === '' ? fileAt(asText(video['uri']), endpoint) : { base64 } }
  },
  cancel: (handle, about) => [{ method: 'POST', address: `${jobAddress(about, handle)}/cancel`, json: {} }],
}

const withheld = /\b(SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII)\b|\bblocked\b[^.]*\b(safety|polic)/i

const imageOf = ({ bytes, mediaType }: SourcePicture): Json => ({
  type: 'image',
  data: Buffer.from(bytes).toString('base64'),
  mime_type: mediaType,
})

const videoIn = (answer: Json | null): Json | null =>
  asArray(answer?.['steps'])
    .map(asObject)
    .filter((step) => step?.['type'] === 'model_output')
    .flatMap((step) => asArray(step?.['content']))
    .map(asObject)
    .find((part) => part?.['type'] === 'video' && asText(part['uri']) + asText(part['data']) !== '') ?? null

/** It was paid for, wherever it is. */
const hasMadeVideo = (answer: Json | null): boolean =>
  asArray(asObject(answer?.['usage'])?.['output_tokens_by_modality'])
    .map(asObject)
    .some((entry) => asText(entry?.['modality']).toLowerCase() === 'video' && entry?.['tokens'] !== 0)

/** Its own files want the key; an address of another place is a stranger's. */
function fileAt(address: string, endpoint: string): Found {
  const url = URL.parse(address)
  if (!url || url.origin !== new URL(endpoint).origin) return { address }
  url.searchParams.set('alt', 'media')
  return { at: { address: url.href } }
}
