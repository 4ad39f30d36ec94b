/**
 * Search on the web: one engine for the instance, chosen by an administrator, asked on behalf of a question. What is
 * found are passages with their addresses; pages are opened by the server and never by the browser. A second engine is
 * asked where the first one fails. Lists of results stay in memory for ten minutes, and nothing is stored; it gives up
 * after eight seconds with what there is.
 */
import { webSearchRoutes as routes } from '@atrium/contract/web-search'
import type { Features } from '../../core/access/index.ts'
import type { WebSearch } from '../../core/generation/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import type { Tool } from '../../platform/areas/tool.ts'
import { type BoundRoutes, type Caller, bindRoutes } from '../../platform/http/area.ts'
import { fail, isRefusal } from '../../platform/http/refusal.ts'
import { hostAndPort, requireSoundAddress } from '../../platform/outbound/destination.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import { ProviderFailure } from '../../providers/types.ts'
import { askEngine } from './ask-engine.ts'
import {
  type EngineConfig,
  resolveEngineConfig,
  toWebSearchSettings,
  webSearchFeature,
  webSearchRefusal,
} from './config.ts'
import { findOnTheWeb } from './find.ts'
import { createResultCache } from './result-cache.ts'
import type { WebSearchFields } from './settings.ts'
import { webTools } from './tools.ts'

export { declareWebSearch } from './config.ts'
export { webSearchSettings } from './settings.ts'

export interface WebSearchDeps extends Pick<Platform, 'clock' | 'database' | 'log'> {
  readonly settings: BoundSettings<WebSearchFields>
  readonly allowAddress: Settings['allowAddress']
  /** The way to the engine: public places, and private ones that the operator allows, as where SEARXNG_URL says. */
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  /** The way to the pages that are found: public places only. */
  readonly elsewhere: Pick<Outbound, 'check' | 'request'>
  readonly features: Pick<Features, 'allows' | 'changed' | 'save' | 'whileAllowed'>
}

export interface WebSearchFeature extends WebSearch {
  readonly area: BoundRoutes<typeof routes>
  readonly tools: readonly Tool[]
}

export const createWebSearch = (deps: WebSearchDeps): WebSearchFeature => {
  const { features, settings } = deps
  const allows = ({ accountId, role }: Pick<Caller, 'accountId' | 'role'>) =>
    features.allows(webSearchFeature, accountId, role)
  const cache = createResultCache(deps.clock)
  const current = async (): Promise<EngineConfig> => resolveEngineConfig(await settings.read())

  const area = bindRoutes({
    name: 'web-search',
    routes,
    handlers: {
      config: async (_, { caller }) => toWebSearchSettings(await current(), caller.role, await allows(caller)),

      async updateConfig({ body: { key, secondKey, url, secondUrl, allowPrivate, ...change } }, { caller }) {
        settings.requireFree({ url, engine: change.engine })
        const allowances = []
        for (const address of [url, secondUrl])
          if (address) allowances.push(await allow(deps, address, allowPrivate === true))
        const saved = await settings.change((before) => {
          const engine = change.engine ?? before.engine.value
          const second = change.secondEngine === undefined ? before.secondEngine.value : change.secondEngine
          const keys = withKey(withKey(before.keys.value, engine, key), second, secondKey)
          const isMoved = engine !== before.engine.value
          const isSecondMoved = second !== before.secondEngine.value
          return {
            ...change,
            keys: key === undefined && secondKey === undefined ? undefined : keys,
            url: url ?? (isMoved ? '' : undefined),
            secondUrl: secondUrl ?? (isSecondMoved ? '' : undefined),
          }
        })
        for (const allowance of allowances) {
          if (!allowance) continue
          await deps.database.write((trx) => allowance.write(trx))
          await allowance.written()
        }
        await features.changed()
        return toWebSearchSettings(resolveEngineConfig(saved), caller.role, await allows(caller))
      },

      async access(_, { caller }) {
        return { mode: (await current()).access, allowed: await allows(caller) }
      },

      async updateAccess({ body }, { caller }) {
        await features.save(webSearchFeature, body)
        return { mode: (await current()).access, allowed: await allows(caller) }
      },

      async test(_, { signal }) {
        const config = await current()
        if (!config.available) throw fail('provider_not_configured', 'Choose and set up an engine first.')
        const began = deps.clock.now()
        const question = { words: 'Atrium', span: null, topic: null, count: 5, safe: config.safeSearch }
        try {
          const results = await askEngine(deps.outbound, config, question, { signal, timeoutMs: 8000 })
          const first = results[0] ? { title: results[0].title, url: results[0].url } : null
          const detail = first ? null : 'The search engine returned no results. Check that its JSON format is enabled.'
          return { ok: first !== null, results: results.length, durationMs: deps.clock.now() - began, detail, first }
        } catch (error) {
          if (!(error instanceof ProviderFailure)) throw error
          return { ok: false, results: 0, durationMs: deps.clock.now() - began, detail: error.message, first: null }
        }
      },
    },
  })

  return {
    area,
    isAllowed: (accountId) => features.allows(webSearchFeature, accountId),
    async search(accountId, question, signal) {
      const find = async (allowed: AbortSignal) => findOnTheWeb({ ...deps, cache }, await current(), question, allowed)
      try {
        return await features.whileAllowed(webSearchFeature, accountId, signal, find)
      } catch (error) {
        if (!isRefusal(error) || error.code !== webSearchRefusal) throw error
        // The account lost the right to it meanwhile: its answer goes on without.
        return { items: [], web: { queries: [], results: 0, pages: 0 }, notes: [{ code: 'web_failed' }] }
      }
    },
    tools: webTools({
      elsewhere: deps.elsewhere,
      config: current,
      allows: (accountId, role) => features.allows(webSearchFeature, accountId, role),
      async find(words, most, signal) {
        const config = await current()
        const question = { text: words, history: [], ask: null, onReading: () => undefined }
        return findOnTheWeb(
          { ...deps, cache },
          { ...config, maxResults: Math.min(most, config.maxResults) },
          question,
          signal,
        )
      },
    }),
  }
}

type Keys = EngineConfig['keys']

/** The keys once that of one engine was changed; an empty one is removed. */
const withKey = (keys: Keys, engine: EngineConfig['engine'] | null, key: string | undefined): Keys => {
  if (engine === null || key === undefined) return keys
  const { [engine]: _, ...others } = keys
  return key === '' ? others : { ...others, [engine]: key }
}

/** Judges an address before it is saved; a private one is put on the operator's list when the administrator says so. */
const allow = async ({ outbound, allowAddress }: WebSearchDeps, url: string, allowPrivate: boolean) => {
  requireSoundAddress(url)
  try {
    await outbound.check(url)
    return null
  } catch (error) {
    if (!isRefusal(error) || !allowPrivate) throw error
    return await allowAddress(hostAndPort(url))
  }
}
