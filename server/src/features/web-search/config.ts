/** Which engine the instance asks, and who may: read by everybody, changed by administrators. */
import { Engine, JsonEngine, WebSearchMode, type WebSearchConfig } from '@atrium/contract/web-search'
import { z } from 'zod'
import { type EngineForm, engineForms, ownForm } from './engines.ts'

/** As it is kept, sealed with the settings of the instance. */
const Kept = z.object({
  /** null: nobody has said so yet. */
  enabled: z.boolean().nullable().default(null),
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
})
export type SavedEngineConfig = z.infer<typeof Kept>

/** Earlier versions kept `enabled` as false, and beside it that nobody had said so (`touched`). */
const withoutTouched = (kept: unknown): unknown =>
  typeof kept === 'object' && kept !== null && 'touched' in kept && kept.touched === false
    ? { ...kept, enabled: null }
    : kept
export const SavedEngineConfig: z.ZodType<SavedEngineConfig> = z.preprocess(withoutTouched, Kept)

/**
 * What holds now. `SEARXNG_URL` fixes engine and address, over whatever is saved, and switches search on until somebody
 * says otherwise.
 */
export interface EngineConfig extends Omit<SavedEngineConfig, 'enabled'> {
  readonly enabled: boolean
  readonly source: 'default' | 'saved' | 'environment'
  readonly form: EngineForm
  readonly key: string | null
  /** Enabled, with all that its engine needs. */
  readonly available: boolean
}

export const resolveEngineConfig = (saved: SavedEngineConfig, searxngUrl: string | undefined): EngineConfig => {
  const isFixed = searxngUrl !== undefined
  const enabled = saved.enabled ?? isFixed
  const engine = isFixed ? 'searxng' : saved.engine
  const url = isFixed ? searxngUrl : saved.url
  const form = engine === 'json' ? ownForm(saved.json) : engineForms[engine]
  const key = saved.keys[engine] ?? null
  const isSaved = saved.enabled !== null || saved.url !== '' || engine !== 'searxng'
  return {
    ...saved,
    enabled,
    engine,
    url,
    form,
    key,
    source: isFixed ? 'environment' : isSaved ? 'saved' : 'default',
    available: enabled && (url !== '' || form.home !== null) && (key !== null || !form.keyNeeded),
  }
}

export const mayUse = ({ available, access }: EngineConfig, role: 'admin' | 'user'): boolean =>
  available && (access === 'all-users' || role === 'admin')

export const toWebSearchSettings = (config: EngineConfig, role: 'admin' | 'user'): WebSearchConfig => {
  const { enabled, available, engine, url, key, json, access, maxResults, safeSearch, readPages, source } = config
  const open = { enabled, available, allowed: mayUse(config, role) }
  if (role !== 'admin') return open
  const { allowedDomains, blockedDomains } = config
  return {
    ...open,
    engine,
    url,
    hasKey: key !== null,
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
