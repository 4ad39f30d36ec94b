/**
 * Films over `/videos` as OpenRouter has it, which is the common way: a job by its id, asked about below the endpoint, and
 * its film at `content`.
 */
import { asObject, asText } from '../../wires/json.ts'
import type { About, FoundVideo, Reply, TaskFormat, TaskHandle, TaskState } from '../format.ts'
import { omitUndefined, textIn, unreadableAnswer } from '../route.ts'
import type { SourcePicture, VideoAsk } from '../types.ts'
import { dataUrlOf } from './data-url.ts'

export const openrouterVideo: TaskFormat<VideoAsk, FoundVideo> = {
  say(ask, { model, config, also }) {
    const frames = [frameOf('first_frame', ask.firstFrame), frameOf('last_frame', ask.lastFrame)].flat()
    return {
      ...idempotencyHeaders(ask, config),
      json: {
        ...also,
        ...omitUndefined({
          model,
          prompt: ask.prompt,
          duration: ask.seconds,
          resolution: ask.resolution,
          aspect_ratio: ask.aspectRatio,
          generate_audio: ask.generateAudio,
          seed: ask.seed,
          frame_images: frames.length > 0 ? frames : undefined,
        }),
      },
    }
  },
  accepted: (reply) => idOf(reply),
  whereToAsk: (handle, about) => ({ address: jobAddress(about, handle) }),
  state: (reply) => stateOf(reply),
  result: (_reply, handle, about) => ({ found: { at: { address: `${jobAddress(about, handle)}/content?index=0` } } }),
  cancel: (handle, about) => cancelAt(handle, about),
}

export function idOf({ json }: Reply): TaskHandle {
  const id = asText(asObject(json)?.['id'])
  if (id === '' || id.length > 500) throw unreadableAnswer()
  return { id }
}

/** An address below the endpoint, for one job. */
export const jobAddress = ({ endpoint }: About, { id }: TaskHandle): string => {
  const url = new URL(endpoint)
  url.search = ''
  return `${url.href.replace(/\/+$/, '')}/${encodeURIComponent(id)}`
}

const states: Readonly<Record<string, TaskState['state']>> = {
  pending: 'waiting',
  queued: 'waiting',
  created: 'waiting',
  submitted: 'waiting',
  in_progress: 'running',
  processing: 'running',
  running: 'running',
  completed: 'done',
  succeeded: 'done',
  done: 'done',
}
const faults = {
  failed: 'refused',
  error: 'refused',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  expired: 'expired',
} as const

/** `status` in the words that are used for it, `progress` in per cent, `error` as words or an object with a code. */
export function stateOf({ json }: Reply): TaskState {
  const answer = asObject(json)
  const status = asText(answer?.['status']).toLowerCase()
  const state = states[status]
  if (state === 'waiting' || state === 'running') return { state, progress: progressOf(answer?.['progress']) }
  if (state === 'done') return { state }
  const reason = Object.entries(faults).find(([name]) => name === status)?.[1]
  if (reason === undefined) throw unreadableAnswer()
  const error = answer?.['error']
  const words = typeof error === 'string' ? error : JSON.stringify(error ?? '')
  return {
    state: 'failed',
    reason: reason === 'refused' && /moderat|content.?(policy|filter)|safety/i.test(words) ? 'moderated' : reason,
  }
}

const progressOf = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= 100 ? value / 100 : null

const frameOf = (type: string, frame: SourcePicture | undefined) =>
  frame ? [{ type: 'image_url', image_url: { url: dataUrlOf(frame) }, frame_type: type }] : []

export const idempotencyHeaders = ({ key }: VideoAsk, config: About['config']) =>
  config['supports_idempotency'] === true && key !== undefined ? { headers: { 'idempotency-key': key } } : {}

/** Where the definition names an address to cancel at: it may hold the place of the job. */
export function cancelAt({ id }: TaskHandle, about: About) {
  const named = textIn(about.config, 'cancel_endpoint')
  if (named === undefined) return []
  const address = named.replace(/\{job_id\}|%7Bjob_id%7D/gi, encodeURIComponent(id))
  return [{ method: about.config['cancel_method'] === 'DELETE' ? ('DELETE' as const) : ('POST' as const), address }]
}
