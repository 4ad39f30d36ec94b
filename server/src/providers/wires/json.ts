/** Careful reading of what a provider sent. */
import { ProviderFailure } from '../types.ts'

export type Json = Record<string, unknown>

/** One frame as an object; null for frames that are no JSON at all (keep-alive words). Throws `malformed`. */
export function parseFrame(data: string): Json | null {
  if (!data.trimStart().startsWith('{')) return null
  try {
    return JSON.parse(data) as Json
  } catch {
    throw new ProviderFailure('malformed', 'The provider sent a piece of the answer that cannot be read.')
  }
}

export const asObject = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
export const asCount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : null

/** The arguments of a tool call; a call that the model garbled goes back as one without. */
export function argumentsOf(text: string): Json {
  try {
    return asObject(JSON.parse(text || '{}')) ?? {}
  } catch {
    return {}
  }
}

/** What is not set is not said. */
export const withoutUnset = (value: Readonly<Json>): Json =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined))

export const cutShort = (): ProviderFailure =>
  new ProviderFailure('malformed', 'The provider broke off before the answer was complete.')

/** More than this many tool calls in one answer are a fault, not a plan. */
export const maxToolCalls = 128
