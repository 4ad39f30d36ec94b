/**
 * fal's queue, for pictures, films and sound: what is asked goes to the address of the model, the answer tells where to
 * ask on, and the result names where the media lies. What media lies there is all that differs.
 */
import { asArray, asObject, asText, type Json } from '../../wires/json.ts'
import { ProviderFailure } from '../../types.ts'
import type { Found, FoundImages, FoundSound, FoundVideo, Reply, TaskFormat, TaskHandle } from '../format.ts'
import { moderatedAnswer, omitUndefined, textIn, unreadableAnswer } from '../route.ts'
import type { ImageAsk, SoundAsk, VideoAsk } from '../types.ts'
import { dataUrlOf } from './data-url.ts'

/** What the queue does, whatever is made. */
const queue = {
  accepted({ json }: Reply): TaskHandle {
    const answer = asObject(json)
    const told = (name: string): string => asText(answer?.[name])
    const [id, status, response] = [told('request_id'), told('status_url'), told('response_url')]
    if (id === '' || status === '' || response === '') throw unreadableAnswer()
    return { id, addresses: { status, response, cancel: told('cancel_url') } }
  },
  whereToAsk: ({ addresses }: TaskHandle) => ({ address: addresses?.['status'] }),
  state({ json }: Reply) {
    const answer = asObject(json)
    switch (asText(answer?.['status'])) {
      case 'IN_QUEUE':
        return { state: 'waiting', progress: null } as const
      case 'IN_PROGRESS':
        return { state: 'running', progress: null } as const
      case 'COMPLETED':
        return answer?.['error']
          ? ({ state: 'failed', reason: faultOf(answer) } as const)
          : ({ state: 'done' } as const)
      default:
        throw unreadableAnswer()
    }
  },
  whereResult: ({ addresses }: TaskHandle) => ({ address: addresses?.['response'] }),
  cancel: ({ addresses }: TaskHandle) => {
    const address = addresses?.['cancel'] ?? ''
    return address === '' ? [] : [{ method: 'PUT', address } as const]
  },
}

const faultOf = (answer: Json) =>
  /content_policy|nsfw|moderation/i.test(asText(answer['error_type']))
    ? 'moderated'
    : /cancel/i.test(asText(answer['error_type']))
      ? 'cancelled'
      : 'refused'

export const falImages: TaskFormat<ImageAsk, FoundImages> = {
  ...queue,
  say(ask, { config, also }) {
    const size = ask.size ?? textIn(config, 'default_size')
    const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(size ?? '') ?? []
    const ratio = size && /^\d+:\d+$/.test(size) ? size : undefined
    const [first, ...more] = (ask.sources ?? []).map(dataUrlOf)
    return {
      address: first ? textIn(config, 'edit_endpoint') : undefined,
      json: {
        ...also,
        ...omitUndefined({
          prompt: ask.prompt,
          num_images: ask.count ?? 1,
          image_size: width ? { width: Number(width), height: Number(height) } : ratio ? undefined : size,
          aspect_ratio: ratio,
          output_format: ask.format,
          seed: ask.seed,
          image_url: more.length === 0 ? first : undefined,
          image_urls: first && more.length > 0 ? [first, ...more] : undefined,
          mask_url: ask.mask && dataUrlOf(ask.mask),
        }),
      },
    }
  },
  result({ json }) {
    const answer = asObject(json)
    const images = [...asArray(answer?.['images']), answer?.['image']].map(asObject).filter((image) => image !== null)
    const unfit = asArray(answer?.['has_nsfw_concepts'])
    // A picture that was withheld comes as a black one.
    const pictures = images.filter((_, at) => unfit[at] !== true).map((image) => ({ found: addressOf(image) }))
    if (images.length > 0 && pictures.length === 0) throw moderatedAnswer()
    if (images.length === 0) throw unreadableAnswer()
    return { pictures, withheld: images.length - pictures.length }
  },
}

export const falVideo: TaskFormat<VideoAsk, FoundVideo> = {
  ...queue,
  say: (ask, { also }) => ({
    json: {
      ...also,
      ...omitUndefined({
        prompt: ask.prompt,
        duration: ask.seconds === undefined ? undefined : String(ask.seconds),
        resolution: ask.resolution,
        aspect_ratio: ask.aspectRatio,
        generate_audio: ask.generateAudio,
        image_url: ask.firstFrame && dataUrlOf(ask.firstFrame),
        end_image_url: ask.lastFrame && dataUrlOf(ask.lastFrame),
        seed: ask.seed,
      }),
    },
  }),
  result: ({ json }) => ({ found: addressOf(asObject(asObject(json)?.['video'])) }),
}

export const falSound: TaskFormat<SoundAsk, FoundSound> = {
  ...queue,
  say: (ask, { also }) => ({
    json: {
      ...also,
      ...omitUndefined({
        prompt: ask.prompt,
        duration: ask.durationMs === undefined ? undefined : Math.round(ask.durationMs / 1000),
        voice: ask.voice,
        output_format: ask.format,
      }),
    },
  }),
  result({ json }) {
    const answer = asObject(json)
    return { found: addressOf(asObject(answer?.['audio']) ?? asObject(answer?.['audio_file'])) }
  },
}

function addressOf(file: Json | null): Found {
  const address = asText(file?.['url'])
  if (address === '') throw new ProviderFailure('malformed', 'The provider is done but returned no result.')
  return { address }
}
