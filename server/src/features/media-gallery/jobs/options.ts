/** Whether a model takes what is wished of it, by the choices that its definition lists. Pure. */
import type { ImageWish, SoundWish, SpeechWish, VideoWish } from '@atrium/contract/media-gallery'

export type Config = Readonly<Record<string, unknown>>
export interface Issue {
  readonly path: string
  readonly message: string
}

/** One of those that are listed; where nothing is listed, the provider decides. */
const oneOf = (field: string, value: unknown, listed: unknown): Issue[] => {
  if (value === undefined || !Array.isArray(listed) || listed.length === 0 || listed.includes(value)) return []
  return [{ path: `body.${field}`, message: `this model accepts ${listed.slice(0, 40).join(', ')}` }]
}

const atMost = (field: string, size: number, most: unknown, what: string): Issue[] =>
  typeof most === 'number' && most > 0 && size > most
    ? [{ path: `body.${field}`, message: `this model accepts at most ${most} ${what}` }]
    : []

const atLeast = (field: string, size: number | undefined, least: unknown, what: string): Issue[] =>
  size !== undefined && typeof least === 'number' && size < least
    ? [{ path: `body.${field}`, message: `this model needs at least ${least} ${what}` }]
    : []

const only = (field: string, wished: boolean, can: boolean): Issue[] =>
  wished && !can ? [{ path: `body.${field}`, message: 'this model doesn’t support this' }] : []

export const imageIssues = (
  wish: Pick<ImageWish, 'prompt' | 'size' | 'quality' | 'style' | 'seed'>,
  config: Config,
): Issue[] => [
  ...atMost('prompt', wish.prompt.length, config['max_prompt_length'], 'characters'),
  ...oneOf('size', wish.size, config['sizes']),
  ...oneOf('quality', wish.quality, config['qualities']),
  ...oneOf('style', wish.style, config['styles']),
  ...only('seed', wish.seed !== undefined, config['supports_seed'] !== false),
]

export const speechIssues = (wish: SpeechWish, config: Config): Issue[] => [
  ...atMost('input', Array.from(wish.input).length, config['max_characters'], 'characters'),
  ...(config['allows_custom_voice'] === true ? [] : oneOf('voice', wish.voice, config['voices'])),
  ...oneOf('responseFormat', wish.responseFormat, config['formats']),
]

export const soundIssues = (wish: SoundWish, config: Config): Issue[] => [
  ...atMost('prompt', wish.prompt.length, config['max_prompt_length'], 'characters'),
  ...oneOf('voice', wish.voice, config['voices']),
  ...oneOf('format', wish.format, config['formats']),
  ...atMost('durationMs', wish.durationMs ?? 0, config['max_duration_ms'], 'milliseconds'),
  ...atLeast('durationMs', wish.durationMs, config['min_duration_ms'], 'milliseconds'),
]

export const videoIssues = (wish: VideoWish, config: Config): Issue[] => {
  const { durationMs } = wish
  const whole = durationMs === undefined || durationMs % 1000 === 0
  return [
    ...atMost('prompt', wish.prompt.length, config['max_prompt_length'], 'characters'),
    ...(whole ? [] : [{ path: 'body.durationMs', message: 'must be whole seconds' }]),
    ...(whole && durationMs !== undefined ? secondsIssues(durationMs / 1000, config['durations']) : []),
    ...oneOf('resolution', wish.resolution, config['resolutions']),
    ...oneOf('aspectRatio', wish.aspectRatio, config['aspect_ratios']),
    ...only('generateAudio', wish.generateAudio === true, config['supports_audio'] !== false),
    ...only('firstFrameId', wish.firstFrameId !== undefined, takesFirstFrame(config)),
    ...only('lastFrameId', wish.lastFrameId !== undefined, config['supports_frames'] === true),
  ]
}

const secondsIssues = (seconds: number, listed: unknown): Issue[] =>
  oneOf('durationMs', seconds, listed).map(({ path, message }) => ({ path, message: `${message} seconds` }))

const takesFirstFrame = (config: Config): boolean =>
  config['supports_frames'] === true || config['supports_first_frame'] === true
