/**
 * Checks values against JSON Schemas that strangers wrote: on a thread of its own, and ended when it takes too long, so
 * that neither a pattern that goes back and forth for ever nor a schema that unfolds without end is in anybody's way.
 * It fetches nothing: a reference out of the schema is a fault of it.
 */
import { WorkFailure } from '../work/failure.ts'
import { runInWorker } from '../work/work.ts'
import type { SchemaCheck } from './check.ts'

export type { SchemaCheck } from './check.ts'

export interface SchemaBounds {
  /** Time on the processor for one check. Default 50. */
  readonly mostMs?: number
  readonly signal?: AbortSignal
}

/** More is not even read. */
const mostLetters = 4 * 1024 * 1024
/** For the thread to come up and load what it needs; it is ended then, whatever it does. */
const endMs = 10_000

/** `schema` of draft 2020-12, or of the draft that it names. Throws WorkFailure `aborted` only. */
export const checkBySchema = async (
  schema: unknown,
  value: unknown,
  { mostMs = 50, signal }: SchemaBounds = {},
): Promise<SchemaCheck> => {
  const input = { schema: textOf(schema), value: textOf(value), mostMs }
  if (input.schema === null) return { outcome: 'bad-schema', words: 'it is no JSON, or nested too deeply' }
  if (input.value === null) return { outcome: 'wrong', words: 'It is nested too deeply.' }
  if (input.schema.length > mostLetters || input.value.length > mostLetters) return { outcome: 'too-slow' }
  try {
    return await runInWorker(new URL('./check.ts', import.meta.url), 'checkValue', input, {
      timeoutMs: endMs,
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (error instanceof WorkFailure && error.kind !== 'aborted') return { outcome: 'too-slow' }
    throw error
  }
}

/** null: it cannot be written as JSON, as where it is nested ten thousand deep. */
const textOf = (value: unknown): string | null => {
  try {
    return JSON.stringify(value) ?? null
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return null
    throw error
  }
}
