/** Which engine the instance asks, and who may: read by everybody, changed by administrators. */
import { Engine, JsonEngine, WebSearchMode, type WebSearchConfig } from '@atrium/contract/web-search'
import { z } from 'zod'
import { type EngineForm, engineForms, ownForm } from './engines.ts'

/** As it is kept, sealed with the settings of the instance. */
export const Saved = z.object({
  enabled: z.boolean().default(false),
  engine: Engine.default('searxng'),
  url: z.string().default(''),
  /** One for each engine, so that trying another loses none. */
  keys: z.partialRecord(Engine, z.string()).default({}),
  json: JsonEngine.default(JsonEngine.parse({})),
  access: WebSearchMode.default('admins'),
  maxResults: z.number().int().default(6),
  safeSearch: z.boolean().default(true),
  readPages: z.boolean().default(true),
  allowedDomains: z.array(z.string()).default([]),
  blockedDomains: z.array(z.string()).default([]),
  /** Whether anybody has saved something here. */
  touched: z.boolean().default(false),
})
export type Saved = z.infer<typeof Saved>

/** What holds now: `SEARXNG_URL` gives the first address, and a saved one wins over it. */
export interface InForce extends Saved {
  readonly source: 'default' | 'saved' | 'environment'
  readonly form: EngineForm
  readonly key: string | null
  /** Enabled, with all that its engine needs. */
  readonly available: boolean
}

export const inForce = (saved: Saved, searxngUrl: string | undefined): InForce => {
  const fromEnvironment = saved.engine === 'searxng' && saved.url === '' && searxngUrl !== undefined
  const enabled = saved.enabled || (fromEnvironment && !saved.touched)
  const url = fromEnvironment ? searxngUrl : saved.url
  const form = saved.engine === 'json' ? ownForm(saved.json) : engineForms[saved.engine]
  const key = saved.keys[saved.engine] ?? null
  return {
    ...saved,
    ...{ enabled, url, form, key },
    source: fromEnvironment ? 'environment' : saved.touched ? 'saved' : 'default',
    available: enabled && (url !== '' || form.home !== null) && (key !== null || !form.keyNeeded),
  }
}

export const mayUse = ({ available, access }: InForce, role: 'admin' | 'user'): boolean =>
  available && (access === 'all-users' || role === 'admin')

export const present = (config: InForce, role: 'admin' | 'user'): WebSearchConfig => {
  const { enabled, available, engine, url, key, json, access, maxResults, safeSearch, readPages, source } = config
  const open = { enabled, available, allowed: mayUse(config, role) }
  if (role !== 'admin') return open
  const { allowedDomains, blockedDomains } = config
  return {
    ...{ ...open, engine, url, hasKey: key !== null, json, access, maxResults, safeSearch, readPages, source },
    ...{ allowedDomains: [...allowedDomains], blockedDomains: [...blockedDomains] },
  }
}
