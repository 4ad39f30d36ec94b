/** Films over xAI's `/videos/generations`: a request's id, asked about at `/videos/{id}`, and the film at an address. */
import { asObject, asText } from '../../wires/json.ts'
import type { FoundVideo, TaskFormat } from '../format.ts'
import { moderatedAnswer, omitUndefined, unreadableAnswer } from '../route.ts'
import type { VideoAsk } from '../types.ts'
import { dataUrlOf } from './data-url.ts'

export const xaiVideo: TaskFormat<VideoAsk, FoundVideo> = {
  say: (ask, { model, also }) => ({
    json: {
      ...also,
      ...omitUndefined({
        model,
        prompt: ask.prompt,
        duration: ask.seconds,
        aspect_ratio: ask.aspectRatio,
        resolution: ask.resolution,
        image: ask.firstFrame && { url: dataUrlOf(ask.firstFrame) },
      }),
    },
  }),
  accepted({ json }) {
    const id = asText(asObject(json)?.['request_id'])
    if (id === '' || id.length > 500) throw unreadableAnswer()
    return { id }
  },
  whereToAsk: ({ id }) => ({ address: encodeURIComponent(id) }),
  state({ json }) {
    const answer = asObject(json)
    const progress = answer?.['progress']
    switch (asText(answer?.['status'])) {
      case 'pending':
        return {
          state: 'running',
          progress: typeof progress === 'number' && progress >= 0 && progress <= 100 ? progress / 100 : null,
        }
      case 'failed':
        return {
          state: 'failed',
          reason: /moderat|policy|safety/i.test(JSON.stringify(answer?.['error'] ?? '')) ? 'moderated' : 'refused',
        }
      case 'expired':
        return { state: 'failed', reason: 'expired' }
      case 'done':
        return { state: 'done' }
      default:
        if (asObject(answer?.['video'])) return { state: 'done' }
        throw unreadableAnswer()
    }
  },
  result({ json }) {
    const video = asObject(asObject(json)?.['video'])
    if (video?.['respect_moderation'] === false) throw moderatedAnswer()
    const address = asText(video?.['url'])
    if (address === '') throw unreadableAnswer()
    return { found: { address } }
  },
}
