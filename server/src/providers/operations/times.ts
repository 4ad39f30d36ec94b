/** Times of what is said in a recording. Pure. */
import { makeHarmless } from '../harmless-text.ts'

export interface TimedText {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** No recording is longer: ten days. */
const mostSeconds = 864_000

/** Some write the seconds as text; an absurd figure is unknown. */
export function secondsOf(value: unknown): number | null {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof seconds === 'number' && seconds >= 0 && seconds <= mostSeconds ? seconds : null
}

/** A day of speech, a sentence each eight seconds. */
export const maxSegments = 10_000
const longestSentence = 200

/** Words, each with its times, as sentences with theirs. What stands between words belongs to the one before. */
export function sentencesOf(words: readonly TimedText[]): TimedText[] {
  const sentences: { start: number; end: number; text: string }[] = []
  let open = false
  for (const { start, end, text } of words) {
    const last = sentences.at(-1)
    if (open && last) {
      last.text += text
      last.end = end
    } else if (text.trim() !== '') {
      if (sentences.length >= maxSegments) break
      sentences.push({ start, end, text })
      open = true
    }
    const now = sentences.at(-1)
    if (now && (/[.!?。！？؟]["'”’)]*\s*$/u.test(now.text) || now.text.length > longestSentence)) open = false
  }
  return sentences.map(({ start, end, text }) => ({ start, end, text: makeHarmless(text.trim()) }))
}
