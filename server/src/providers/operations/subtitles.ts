/** What was spoken, as subtitles: SubRip, or WebVTT (W3C). Pure. */
import type { Transcription } from './types.ts'

/** Text of a file of subtitles; times in its segments are seconds. */
export const writeSubtitles = (segments: Transcription['segments'], format: 'srt' | 'vtt'): string =>
  format === 'srt'
    ? segments.map((s, at) => `${at + 1}\n${span(s, ',')}\n${s.text.trim()}\n\n`).join('')
    : `WEBVTT\n\n${segments.map((s) => `${span(s, '.')}\n${s.text.trim()}\n\n`).join('')}`

const span = ({ start, end }: { start: number; end: number }, point: string): string =>
  `${clockOf(start, point)} --> ${clockOf(end, point)}`

const clockOf = (seconds: number, point: string): string => {
  const ms = Math.round(seconds * 1000)
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const rest = String(ms % 1000).padStart(3, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}${point}${rest}`
}
