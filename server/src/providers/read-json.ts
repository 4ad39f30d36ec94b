/** Reads a JSON answer of a provider: bounded before anything is built of it, and off the main thread where it is large. */
import { findExceededBound, type JsonBounds } from '../platform/json/shape.ts'
import { WorkFailure } from '../platform/work/failure.ts'
import { runInWorker } from '../platform/work/work.ts'
import { ProviderFailure } from './types.ts'

/** Of answers, and of a single frame of a stream: no format comes near, and code that walks values stays on its stack. */
export const maxJsonDepth = 64
/** A list of 5,000 models with eighty facts about each. Once built, so many small values take some 20 MB. */
export const maxJsonMembers = 400_000
/** So much is read within some milliseconds; what is larger would hold everybody up. */
const maxBytesHere = 512 * 1024

/** Gives the value (null for an empty answer). Throws ProviderFailure `malformed` or `too_large`. */
export async function readJson(bytes: Uint8Array, maxMembers = maxJsonMembers, signal?: AbortSignal): Promise<unknown> {
  const input: Input = { bytes, bounds: { depth: maxJsonDepth, members: maxMembers } }
  if (bytes.byteLength <= maxBytesHere) return valueOf(parseWithin(input))
  try {
    const options = signal ? { signal } : {}
    return valueOf(await runInWorker<Input, Output>(new URL(import.meta.url), parseWithin.name, input, options))
  } catch (error) {
    if (!(error instanceof WorkFailure)) throw error
    if (error.kind === 'aborted') throw new ProviderFailure('aborted', 'The request was stopped.')
    throw error.kind === 'failed' ? error : tooMuch()
  }
}

interface Input {
  readonly bytes: Uint8Array
  readonly bounds: JsonBounds
}
type Output = { readonly value: unknown } | { readonly fault: 'beyond' | 'no-json' }

/** Runs here or on a thread, and therefore throws nothing of ours. Bytes that are no UTF-8 become U+FFFD. */
export function parseWithin({ bytes, bounds }: Input): Output {
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') return { value: null }
  if (findExceededBound(text, bounds)) return { fault: 'beyond' }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { fault: 'no-json' }
  }
}

function valueOf(output: Output): unknown {
  if ('value' in output) return output.value
  throw output.fault === 'beyond' ? tooMuch() : noJson()
}

const noJson = () => new ProviderFailure('malformed', 'The provider’s response couldn’t be read: it isn’t JSON.')
const tooMuch = () => new ProviderFailure('too_large', 'The provider’s response is far too large, so it wasn’t read.')
