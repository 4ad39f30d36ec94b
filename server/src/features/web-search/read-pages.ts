/** Opens the pages that were found, all at once, and gives the text of those that came in time. */
import type { Outbound } from '../../platform/outbound/types.ts'
import type { EngineResult } from './engines.ts'
import type { PageToRank } from './passages.ts'
import { readPage } from './read-page.ts'

const pageMs = 6000

/**
 * Every address, redirects too, is checked by the gate, which reaches public places only. A page that cannot be read, or
 * is not there when `signal` aborts, keeps what the engine said of it; `failed` counts those.
 */
export const readPages = async (
  elsewhere: Pick<Outbound, 'check' | 'request'>,
  results: readonly EngineResult[],
  most: number,
  signal: AbortSignal,
): Promise<{ pages: PageToRank[]; failed: number }> => {
  const texts = await Promise.all(
    results.slice(0, most).map((result) => before(signal, readOne(elsewhere, result.url, signal))),
  )
  const pages = results.map((result, n): PageToRank => ({ ...result, text: texts[n] ?? null }))
  return { pages, failed: texts.filter((text) => text === null).length }
}

/** What the work gives, or null once the time is over or the page turned out to be unreadable. */
const before = async (signal: AbortSignal, work: Promise<string | null>): Promise<string | null> => {
  if (signal.aborted) return null
  const over = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))
  // One page of many: the number of pages shows that it failed.
  return await Promise.race([work.catch(() => null), over])
}

const readOne = async (
  elsewhere: Pick<Outbound, 'check' | 'request'>,
  address: string,
  signal: AbortSignal,
): Promise<string | null> => {
  const page = await readPage(elsewhere, address, {
    accept: 'text/html, text/plain;q=0.9',
    nameOf: (mediaType) => names.get(mediaType),
    timeoutMs: pageMs,
    signal,
  })
  return 'failure' in page ? null : page.text
}

const names: ReadonlyMap<string, string> = new Map([
  ['text/html', 'page.html'],
  ['application/xhtml+xml', 'page.html'],
  ['text/plain', 'page.txt'],
  ['text/markdown', 'page.md'],
])
