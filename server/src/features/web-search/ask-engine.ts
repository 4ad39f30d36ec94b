/** One question to the engine, through the outbound gate. */
import type { Outbound } from '../../platform/outbound/types.ts'
import { runInWorker } from '../../platform/work/work.ts'
import { exchange, translate } from '../../providers/exchange.ts'
import { ProviderFailure } from '../../providers/types.ts'
import type { EngineConfig } from './config.ts'
import { type EngineQuestion, type EngineResult, requestOf, resultsOf } from './engines.ts'

const largestAnswer = 2 * 1024 * 1024
const pageReader = new URL('./duckduckgo.ts', import.meta.url)

/** The results, best first. Throws ProviderFailure with a sentence, never with what the engine said. */
export const askEngine = async (
  outbound: Pick<Outbound, 'check' | 'request'>,
  { form, url: address, key }: Pick<EngineConfig, 'form' | 'url' | 'key'>,
  question: EngineQuestion,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<EngineResult[]> => {
  const request = requestOf(form, address, key, question)
  const url = await outbound.check(request.url).catch((error: unknown) => {
    throw translate(error)
  })
  if (form.answer === 'json') {
    const { method, headers, body } = request
    const limits = { signal, timeoutMs, maxBytes: largestAnswer }
    return resultsOf(form, await exchange(outbound, { method, url, headers, hasKey: key !== null, body, ...limits }))
  }
  const answer = await outbound
    .request(url, {
      method: 'GET',
      headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; Atrium)' },
      signal,
      headersMs: timeoutMs,
      idleMs: timeoutMs,
      maxBytes: largestAnswer,
    })
    .catch((error: unknown) => {
      throw translate(error, signal)
    })
  if (answer.status !== 200) {
    answer.discard()
    throw new ProviderFailure('rejected', `The search engine answered with ${answer.status}.`)
  }
  const html = await answer.text().catch((error: unknown) => {
    throw translate(error, signal)
  })
  const results = await runInWorker<string, EngineResult[] | null>(pageReader, 'readPage', html, {
    signal,
    timeoutMs: 5000,
  })
  if (results === null) {
    throw new ProviderFailure('rejected', 'The search engine asks its visitors to prove they’re human.')
  }
  return results
}
