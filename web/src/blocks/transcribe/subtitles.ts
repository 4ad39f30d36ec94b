/** What was spoken, as subtitles: SubRip, or WebVTT (W3C). Pure. */
import type { SpokenText } from '@atrium/contract/speech'

type Segment = SpokenText['segments'][number]

export const writeSubtitles = (segments: readonly Segment[], format: 'srt' | 'vtt'): string =>
  format === 'srt'
    ? segments.map((segment, at) => `${at + 1}\n${cue(segment, ',')}`).join('')
    : `WEBVTT\n\n${segments.map((segment) => cue(segment, '.')).join('')}`

const cue = ({ start, end, text }: Segment, point: string): string =>
  `${time(start, point)} --> ${time(end, point)}\n${text.trim()}\n\n`

const time = (seconds: number, point: string): string => {
  const ms = Math.round(seconds * 1000)
  return `${clockParts(ms).join(':')}${point}${String(ms % 1000).padStart(3, '0')}`
}

/** As one reads it on a player: `1:02:03`, `2:03`. */
export const clockOf = (seconds: number): string => {
  const [hours = '', minutes = '', rest = ''] = clockParts(Math.floor(seconds) * 1000)
  return Number(hours) > 0 ? `${Number(hours)}:${minutes}:${rest}` : `${Number(minutes)}:${rest}`
}

const clockParts = (ms: number): string[] =>
  [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((value) => String(Math.floor(value)).padStart(2, '0'))
