/** What a call is about, in a few words: a file, what is looked for, an address, a title. */
import type { ToolCall } from '@atrium/contract/generation'
import { showHidden } from './invisible.ts'
import { isRecord, parseValue } from './parse.ts'

/** The arguments that say it best, the best first. */
const subjectNames = [
  'query',
  'url',
  'title',
  'path',
  'name',
  'prompt',
  'expression',
  'question',
  'text',
  'message',
] as const
const longest = 120

/** What a call is about, in one short line: a file, or the argument that says it best; null: nothing says it. */
export function targetOf({ places, arguments: args }: Pick<ToolCall, 'places' | 'arguments'>): string | null {
  const [place] = places ?? []
  if (place) return shorten(place.line === null ? place.path : `${place.path}:${place.line}`)
  const value = parseValue(args)
  if (!isRecord(value)) return null
  const name = subjectNames.find((each) => isWords(value[each]))
  const words = name ? value[name] : Object.values(value).find(isWords)
  return isWords(words) ? shorten(words) : null
}

const isWords = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

function shorten(words: string): string {
  const line = showHidden(
    words
      .slice(0, longest * 2)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}
