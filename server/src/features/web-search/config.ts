/** Which engine the instance asks, and who may: read by everybody, changed by administrators. */
import { Audience, type SettingSource } from '@atrium/contract/common'
import type { WebSearchConfig } from '@atrium/contract/web-search'
import { type Feature, modeRule } from '../../core/access/index.ts'
import {
  type BoundSettings,
  type EffectiveSettings,
  type SettingValues,
  valuesOf,
} from '../../platform/settings/index.ts'
import { type EngineForm, engineForms, ownForm } from './engines.ts'
import type { WebSearchFields } from './settings.ts'

type Values = SettingValues<WebSearchFields>

/**
 * What holds now. `SEARXNG_URL` fixes engine and address, over whatever is saved, and switches search on until somebody
 * says otherwise.
 */
export interface EngineConfig extends Omit<Values, 'enabled'> {
  readonly enabled: boolean
  readonly source: SettingSource
  readonly form: EngineForm
  readonly key: string | null
  /** Enabled, with all that its engine needs. */
  readonly available: boolean
  /** Asked where the first one fails; null: there is none, or it lacks something. */
  readonly second: AskedEngine | null
}

/** An engine with all that it needs to be asked. */
export type AskedEngine = Pick<EngineConfig, 'engine' | 'url' | 'form' | 'key'>

export const resolveEngineConfig = (readings: EffectiveSettings<WebSearchFields>): EngineConfig => {
  const values = valuesOf(readings)
  const { engine, url } = values
  const isFixed = readings.url.source === 'environment'
  const enabled = values.enabled ?? isFixed
  const form = formOf(engine, values)
  const key = values.keys[engine] ?? null
  const second = values.secondEngine && {
    engine: values.secondEngine,
    url: values.secondUrl,
    form: formOf(values.secondEngine, values),
    key: values.keys[values.secondEngine] ?? null,
  }
  const isSaved = values.enabled !== null || url !== '' || engine !== 'searxng'
  return {
    ...values,
    enabled,
    form,
    key,
    source: isFixed ? 'environment' : isSaved ? 'saved' : 'default',
    available: enabled && isComplete({ url, form, key }),
    second: second && isComplete(second) ? second : null,
  }
}

const formOf = (engine: Values['engine'], { json }: Values): EngineForm =>
  engine === 'json' ? ownForm(json) : engineForms[engine]

const isComplete = ({ url, form, key }: Omit<AskedEngine, 'engine'>): boolean =>
  (url !== '' || form.home !== null) && (key !== null || !form.keyNeeded)

export const webSearchFeature = 'web-search'
/** Whoever may not search is refused with it. */
export const webSearchRefusal = 'web_search_unavailable'

/** Who may search, while an engine is set up and switched on. */
export const declareWebSearch = (search: BoundSettings<WebSearchFields>): Feature => ({
  name: webSearchFeature,
  refusal: webSearchRefusal,
  isAvailable: async () => resolveEngineConfig(await search.read()).available,
  async read() {
    const { access, groupIds } = await search.read()
    return modeRule(access, groupIds, Audience.options)
  },
  async save({ mode, groupIds }) {
    if (mode !== 'off') await search.change({ access: mode, groupIds: [...groupIds] })
  },
})

/** `allowed`: whether the one who asks may use it. */
export const toWebSearchSettings = (
  config: EngineConfig,
  role: 'admin' | 'user',
  allowed: boolean,
): WebSearchConfig => {
  const { enabled, available, engine, url, key, json, access, maxResults, safeSearch, readPages, source } = config
  const open = { enabled, available, allowed }
  if (role !== 'admin') return open
  const { allowedDomains, blockedDomains } = config
  return {
    ...open,
    engine,
    url,
    hasKey: key !== null,
    secondEngine: config.secondEngine,
    secondUrl: config.secondUrl,
    hasSecondKey: config.secondEngine !== null && config.keys[config.secondEngine] !== undefined,
    json,
    access,
    maxResults,
    safeSearch,
    readPages,
    source,
    allowedDomains: [...allowedDomains],
    blockedDomains: [...blockedDomains],
  }
}
