/**
 * The built-in reader: the words that are printed in a picture, without a model or a network. It runs in a process of its
 * own with a limit on time and memory, and is loaded there when it is first needed.
 */
import { WorkFailure } from '../work/failure.ts'
import { runInProcess } from '../work/process.ts'
import { createRunWatch } from '../work/watch-runs.ts'
import { printLanguages, type PrintLanguage } from './languages.ts'
import type { Print, PrintFailure, PrintRequest } from './read.ts'

export { printLanguages }
export type { Print, PrintFailure, PrintLanguage }

export interface PrintOptions {
  /** Tried first, as a tag such as `ar` or `en-GB`; English is next, and then the others. */
  readonly language?: string | null
  readonly signal?: AbortSignal
}

/** Where many processes share the processors, the clock runs on. */
const mostWorkMs = 60_000
const memoryMb = 640
const runs = createRunWatch()

/** How it stands in this process, and how much memory a run may hold. */
export const readerState = () => ({ state: runs.state, memoryMb })

/**
 * Reads a PNG, JPEG, WebP or GIF of up to 40 megapixels. What it cannot read, or finds no words in, is an answer.
 * WorkFailure `aborted` is thrown when `signal` calls it off.
 */
export const readPrint = async (
  bytes: Uint8Array,
  { language, signal }: PrintOptions = {},
): Promise<Print | { readonly failure: PrintFailure }> => {
  const request: PrintRequest = { bytes, languages: orderLanguages(language ?? null) }
  try {
    return await runs.watch(
      runInProcess<PrintRequest, Print | { failure: PrintFailure }>(
        new URL('./read.ts', import.meta.url),
        'readPrintedPage',
        request,
        { signal, timeoutMs: mostWorkMs * 4, processorMs: mostWorkMs, memoryMb },
      ),
    )
  } catch (error) {
    const failure = error instanceof WorkFailure ? failures[error.kind] : undefined
    if (!failure) throw error
    return { failure }
  }
}

const orderLanguages = (language: string | null): PrintLanguage[] => {
  const own = printLanguages.find((known) => language?.toLowerCase().split('-')[0] === known)
  return [...new Set([...(own ? [own] : []), ...printLanguages])]
}

/** A process that ends without an answer was ended by the picture; `failed` and `aborted` are not its fault. */
const failures: Partial<Record<WorkFailure['kind'], PrintFailure>> = {
  timeout: 'timeout',
  memory: 'too_complex',
  crashed: 'damaged',
}
