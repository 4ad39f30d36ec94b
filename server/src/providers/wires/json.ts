/** Careful reading of what a provider sent. */
import { maxToolCalls } from '../answer-bounds.ts'
import { JsonFault, readJsonText } from '../../platform/json/index.ts'
import { findExceededBound } from '../../platform/json/shape.ts'
import { maxJsonDepth, maxJsonMembers } from '../read-json.ts'
import { ProviderFailure } from '../types.ts'

export type Json = Record<string, unknown>

const shortFrame = 2 * maxJsonDepth

/** One frame as an object; null for frames that are no JSON at all (keep-alive words). Throws `malformed`. */
export function parseFrame(data: string): Json | null {
  if (!data.trimStart().startsWith('{')) return null
  // What is short cannot hold much, and most frames are.
  if (data.length > shortFrame && findExceededBound(data, { depth: maxJsonDepth, members: maxJsonMembers })) {
    throw new ProviderFailure('too_large', 'The provider sent a piece of the answer that holds far too much.')
  }
  try {
    return JSON.parse(data) as Json
  } catch {
    throw new ProviderFailure('malformed', 'The provider sent part of the answer in a form that couldn’t be read.')
  }
}

export const asObject = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
/** A whole number that can be stored and told on exactly; an absurd one is unknown. */
export const asCount = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? Math.round(value) : null

/**
 * More than this is no figure of tokens, whether of a window or of a call: the largest models take some millions. Sums of
 * millions of such calls still are exact.
 */
const mostTokens = 1_000_000_000

/** Every figure of tokens that a provider tells comes through here; an absurd one is unknown. */
export const asTokens = (value: unknown): number | null => {
  const tokens = asCount(value)
  return tokens === null || tokens > mostTokens ? null : tokens
}

/**
 * The arguments of a tool call; a call that the model garbled goes back as one without. Programs send calls of earlier
 * turns as texts in their requests, so that one may be as deep or as large as they like.
 */
export function argumentsOf(text: string): Json {
  try {
    return asObject(readJsonText(text || '{}')) ?? {}
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    return {}
  }
}

/** What is not set is not said. */
export const withoutUnset = (value: Readonly<Json>): Json =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined))

export const cutShort = (): ProviderFailure =>
  new ProviderFailure('malformed', 'The provider broke off before the answer was complete.')

/** One call more than an answer may have is passed on, for the bounds of the answer to end it; further ones are dropped. */
export const mostCallsRead = maxToolCalls + 1

/** Items of an answer that may be open at once, by whatever a provider numbers them: each holds what it has said so far. */
export const maxOpenItems = 1024
export const tooManyItems = (): ProviderFailure =>
  new ProviderFailure('too_large', 'The provider opened more parts of one answer than any sound answer has.')
