/** Films over `/videos` as OpenAI had it and others speak it: seconds and size, a form where a picture goes with it. */
import type { FoundVideo, TaskFormat } from '../format.ts'
import { fieldsOf } from '../form.ts'
import { omitUndefined } from '../route.ts'
import type { VideoAsk } from '../types.ts'
import { jobAddress, cancelAt, idempotencyHeaders, idOf, stateOf } from './openrouter-video.ts'

export const openaiVideo: TaskFormat<VideoAsk, FoundVideo> = {
  say(ask, { model, config, also }) {
    const fields = omitUndefined({
      model,
      prompt: ask.prompt,
      seconds: ask.seconds === undefined ? undefined : String(ask.seconds),
      size: sizeOf(ask),
    })
    const { firstFrame } = ask
    if (!firstFrame) return { ...idempotencyHeaders(ask, config), json: { ...also, ...fields } }
    const form = {
      fields: fieldsOf({ ...also, ...fields } as Parameters<typeof fieldsOf>[0]),
      files: [{ ...firstFrame, field: 'input_reference' }],
    }
    return { ...idempotencyHeaders(ask, config), form }
  },
  accepted: (reply) => idOf(reply),
  whereToAsk: (handle, about) => ({ address: jobAddress(about, handle) }),
  state: (reply) => stateOf(reply),
  result: (_reply, handle, about) => ({ found: { at: { address: `${jobAddress(about, handle)}/content` } } }),
  cancel: (handle, about) => {
    const named = cancelAt(handle, about)
    return named.length > 0 ? named : [{ method: 'DELETE', address: jobAddress(about, handle) }]
  },
}

const heights: Readonly<Record<string, number>> = { '480p': 480, '720p': 720, '1080p': 1080 }

/** `1280x720` out of `720p` and `16:9`; pixels are said as they are. */
function sizeOf({ resolution, aspectRatio }: VideoAsk): string | undefined {
  if (resolution === undefined || /^\d+x\d+$/.test(resolution)) return resolution
  const short = heights[resolution]
  const [, wide, high] = /^(\d{1,2}):(\d{1,2})$/.exec(aspectRatio ?? '16:9') ?? []
  if (short === undefined || wide === undefined || high === undefined) return undefined
  const [w, h] = [Number(wide), Number(high)]
  const long = Math.round((short * Math.max(w, h)) / Math.min(w, h) / 2) * 2
  return w >= h ? `${long}x${short}` : `${short}x${long}`
}
