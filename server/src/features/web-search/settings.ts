/** Which engine the instance asks, and who may. `SEARXNG_URL` fixes engine and address. */
import { GroupIds } from '@atrium/contract/common'
import { Engine, JsonEngine, WebSearchMode } from '@atrium/contract/web-search'
import { z } from 'zod'
import { declareVariables, defineSettings, setting, webAddressText } from '../../platform/settings/index.ts'

const { SEARXNG_URL } = declareVariables({
  SEARXNG_URL: [
    webAddressText('http://localhost:8080'),
    'the SearXNG server for web search; it may be in your own network. Locks engine and address, and turns search on until an administrator turns it off',
    { usual: 'unset: set in the app' },
  ],
})

/** Earlier versions kept `enabled` as false, and beside it that nobody had said so (`touched`). */
const withoutTouched = (kept: unknown): unknown =>
  typeof kept === 'object' && kept !== null && 'touched' in kept && kept.touched === false
    ? { ...kept, enabled: null }
    : kept

const search = defineSettings(
  {
    /** null: nobody has said so yet. */
    enabled: setting(z.boolean(), { default: null, strictest: false }),
    engine: setting(Engine, {
      default: 'searxng',
      env: SEARXNG_URL.name,
      parse: SEARXNG_URL.text.transform(() => 'searxng' as const),
    }),
    url: setting(z.string(), { default: '', env: SEARXNG_URL }),
    /** Asked where the first one fails. */
    secondEngine: setting(Engine, { default: null }),
    secondUrl: setting(z.string(), { default: '' }),
    /** One for each engine, so that trying another loses none. */
    keys: setting(z.partialRecord(Engine, z.string()), { default: {}, secret: true }),
    json: setting(JsonEngine, { default: JsonEngine.parse({}) }),
    access: setting(WebSearchMode, { default: 'admins' }),
    /** Whose members may, where `access` is groups. */
    groupIds: setting(GroupIds, { default: [] }),
    maxResults: setting(z.number().int(), { default: 6 }),
    safeSearch: setting(z.boolean(), { default: true }),
    readPages: setting(z.boolean(), { default: true }),
    allowedDomains: setting(z.array(z.string()), { default: [] }),
    blockedDomains: setting(z.array(z.string()), { default: [] }),
  },
  { row: 'web-search', upgrade: withoutTouched },
)

export const webSearchSettings = { search, SEARXNG_URL }

export type WebSearchFields = typeof search.fields
