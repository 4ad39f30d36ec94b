/** A search from the question to the passages, within eight seconds: what came by then is what there is. */
import type { Retrieval } from '@atrium/contract/generation'
import type { WebResults, WebQuestion } from '../../core/generation/index.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import type { Platform } from '../../platform/platform.ts'
import { runInWorker } from '../../platform/work/work.ts'
import { askEngine } from './ask-engine.ts'
import type { AskedEngine, EngineConfig } from './config.ts'
import type { EngineQuestion, EngineResult } from './engines.ts'
import { mergeResults, onlyFrom } from './merge.ts'
import type { PageToRank, RankedPassage, choosePassages } from './passages.ts'
import { type SearchPlan, plainPlan, planQuestion, planPrompt, readPlan } from './plan.ts'
import { readPages } from './read-pages.ts'
import type { ResultCache } from './result-cache.ts'

export interface FindDeps extends Pick<Platform, 'clock' | 'log'> {
  /** The way to the engine. */
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  /** The way to the pages: public addresses only. */
  readonly elsewhere: Pick<Outbound, 'check' | 'request'>
  readonly cache: ResultCache
}

const deadlineMs = 8000
/** Ranking and telling what was found need some of it. */
const reserveMs = 600
const planMs = 2500
const mostPages = 5
const mostPassages = 8
const ranker = new URL('./passages.ts', import.meta.url)

export const findOnTheWeb = async (
  deps: FindDeps,
  config: EngineConfig,
  question: WebQuestion,
  signal: AbortSignal,
): Promise<WebResults> => {
  const over = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs - reserveMs)])
  const plan = await planSearch(deps, question, over)
  const { results, failed } = await askAll(deps, config, plan, over)
  const web = { queries: [...plan.queries], results: results.length, pages: 0 }
  if (results.length === 0) return { items: [], web, notes: failed > 0 ? [{ code: 'web_failed' }] : [] }
  let pages: readonly PageToRank[] = results.map((result) => ({ ...result, text: null }))
  const notes: Retrieval['notes'] = failed > 0 ? [{ code: 'web_partial' }] : []
  if (config.readPages) {
    question.onReading()
    const read = await readPages(deps.elsewhere, results, mostPages, over)
    pages = read.pages
    web.pages = Math.min(mostPages, results.length) - read.failed
    if (read.failed > 0 && notes.length === 0) notes.push({ code: 'web_partial', count: read.failed })
  }
  const input: Parameters<typeof choosePassages>[0] = {
    queries: [question.text, ...plan.queries],
    pages,
    most: mostPassages,
  }
  const passages = await runInWorker<typeof input, RankedPassage[]>(ranker, 'choosePassages', input, { signal })
  return { items: passages.map(toItem), web, notes }
}

const toItem = ({ url, title, text, score }: RankedPassage): WebResults['items'][number] => ({
  text,
  source: { kind: 'web', url, name: title, section: null, passage: text, score, foundBy: 'words' },
})

const planSearch = async ({ clock, log }: FindDeps, question: WebQuestion, over: AbortSignal): Promise<SearchPlan> => {
  const plain = plainPlan(question.text)
  if (!question.ask) return plain
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  try {
    const late = AbortSignal.any([over, AbortSignal.timeout(planMs)])
    return readPlan(await question.ask(planPrompt, planQuestion(question, today), late)) ?? plain
  } catch (error) {
    // The question itself can be searched for.
    log.info('a web search was not planned by the model', { error })
    return plain
  }
}

const askAll = async (
  deps: FindDeps,
  config: EngineConfig,
  { queries, span, topic }: SearchPlan,
  signal: AbortSignal,
): Promise<{ results: EngineResult[]; failed: number }> => {
  const answers = await Promise.allSettled(
    queries.map((words) =>
      askOneOrOther(deps, config, { words, span, topic, count: config.maxResults, safe: config.safeSearch }, signal),
    ),
  )
  const lists = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  for (const answer of answers) {
    if (answer.status === 'rejected') deps.log.warn('a search engine failed', { error: answer.reason as unknown })
  }
  const allowed = lists.map((list) => onlyFrom(list, config))
  return { results: mergeResults(allowed, config.maxResults), failed: answers.length - lists.length }
}

/** Asks the engine, and the second one where it fails. */
const askOneOrOther = async (
  { outbound, log, cache }: FindDeps,
  config: EngineConfig,
  question: EngineQuestion,
  signal: AbortSignal,
): Promise<EngineResult[]> => {
  const ask = (engine: AskedEngine, timeoutMs: number) =>
    cache.readThrough(engine, question, () => askEngine(outbound, engine, question, { signal, timeoutMs }))
  if (!config.second) return ask(config, 6000)
  try {
    return await ask(config, 3500)
  } catch (error) {
    if (signal.aborted) throw error
    log.warn('a search engine failed, and the second one is asked', { error })
    return ask(config.second, 3500)
  }
}
