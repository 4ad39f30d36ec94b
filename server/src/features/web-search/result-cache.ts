/** Lists of results of the last minutes, in memory: what several people or a repeated answer ask is asked once. */
import type { Clock } from '../../platform/clock.ts'
import type { EngineConfig } from './config.ts'
import type { EngineQuestion, EngineResult } from './engines.ts'

const keptMs = 10 * 60_000
const mostLists = 200

export interface ResultCache {
  /** The list of an engine for a question: a kept one, else what `ask` gives. Failures are not kept. */
  readThrough(
    engine: Pick<EngineConfig, 'engine' | 'url'>,
    question: EngineQuestion,
    ask: () => Promise<EngineResult[]>,
  ): Promise<EngineResult[]>
}

export const createResultCache = (clock: Pick<Clock, 'now'>): ResultCache => {
  const lists = new Map<string, { readonly results: EngineResult[]; readonly endsAt: number }>()
  return {
    async readThrough({ engine, url }, question, ask) {
      const key = JSON.stringify([engine, url, question])
      const kept = lists.get(key)
      if (kept && kept.endsAt > clock.now()) return kept.results
      const results = await ask()
      // The oldest stands first.
      lists.delete(key)
      for (const oldest of lists.keys()) if (lists.size >= mostLists) lists.delete(oldest)
      lists.set(key, { results, endsAt: clock.now() + keptMs })
      return results
    },
  }
}
