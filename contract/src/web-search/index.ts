/** Search on the web: which engine the instance asks, and who may. */
import { area } from '../area.ts'
import { webSearchDescription } from './area.ts'
import { z } from 'zod'
import { Audience, SettingSource } from '../common.ts'
import { routes } from '../route.ts'

export const Engine = z.enum(['searxng', 'brave', 'tavily', 'exa', 'serper', 'duckduckgo', 'json'])
export type Engine = z.infer<typeof Engine>

/** Where in the answer of a JSON engine of one's own its parts stand, as dotted paths. */
export const JsonEngine = z.strictObject({
  method: z.enum(['GET', 'POST']).default('GET'),
  /** The name of the parameter (GET) or member (POST) that takes the words. */
  queryParameter: z.string().min(1).max(60).default('q'),
  countParameter: z.string().max(60).default(''),
  /** The header that carries the key, and what stands before it. */
  keyHeader: z.string().max(60).default(''),
  keyPrefix: z.string().max(30).default(''),
  resultsPath: z.string().max(100).default('results'),
  titlePath: z.string().max(100).default('title'),
  urlPath: z.string().max(100).default('url'),
  contentPath: z.string().max(100).default('content'),
})
export type JsonEngine = z.infer<typeof JsonEngine>

export const WebSearchMode = Audience

export const WebSearchConfig = z.strictObject({
  enabled: z.boolean(),
  /** Enabled, with all that its engine needs. */
  available: z.boolean(),
  /** Whether the caller may use it. */
  allowed: z.boolean(),
  /** What follows is for administrators only. */
  engine: Engine.optional(),
  url: z.string().optional(),
  hasKey: z.boolean().optional(),
  /** Asked where the first one fails; null: none. */
  secondEngine: Engine.nullable().optional(),
  secondUrl: z.string().optional(),
  hasSecondKey: z.boolean().optional(),
  json: JsonEngine.optional(),
  access: WebSearchMode.optional(),
  maxResults: z.number().int().optional(),
  safeSearch: z.boolean().optional(),
  /** Open the pages that were found and read them, instead of the engine's few words only. */
  readPages: z.boolean().optional(),
  allowedDomains: z.array(z.string()).optional(),
  blockedDomains: z.array(z.string()).optional(),
  /** Where engine and address come from; `environment` is fixed by SEARXNG_URL. */
  source: SettingSource.optional(),
})
export type WebSearchConfig = z.infer<typeof WebSearchConfig>

const Domain = z.string().regex(/^[a-z0-9.-]{1,253}$/, 'write it as a host, such as example.org')
const Access = z.strictObject({ mode: WebSearchMode, allowed: z.boolean() })

const Address = z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(1000)])
const Key = z
  .string()
  .trim()
  .max(500)
  .regex(/^[\x21-\x7e]*$/, 'it holds characters that no key has')

export const webSearchRoutes = routes({
  config: {
    method: 'get',
    path: '/api/search/config',
    access: 'user',
    summary: 'Get whether web search is available. Administrators also get its settings',
    returns: WebSearchConfig,
  },
  updateConfig: {
    method: 'put',
    path: '/api/search/config',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Set the search engine and its settings. An empty `key` removes the saved one',
    body: z.strictObject({
      enabled: z.boolean().optional(),
      engine: Engine.optional(),
      url: Address.optional(),
      /** Put a private address on the list of those that may be called. */
      allowPrivate: z.boolean().optional(),
      key: Key.optional(),
      secondEngine: Engine.nullable().optional(),
      secondUrl: Address.optional(),
      /** Of the second engine; as with `key`, one is kept for each engine. */
      secondKey: Key.optional(),
      json: JsonEngine.optional(),
      maxResults: z.number().int().min(1).max(20).optional(),
      safeSearch: z.boolean().optional(),
      readPages: z.boolean().optional(),
      allowedDomains: z.array(Domain).max(200).optional(),
      blockedDomains: z.array(Domain).max(200).optional(),
    }),
    returns: WebSearchConfig,
    errors: ['url_not_allowed', 'setting_locked'],
  },
  access: {
    method: 'get',
    path: '/api/search/access',
    access: 'user',
    summary: 'Get who can search the web',
    returns: Access,
  },
  updateAccess: {
    method: 'put',
    path: '/api/search/access',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Set who can search the web',
    body: z.strictObject({ mode: WebSearchMode }),
    returns: Access,
  },
  test: {
    method: 'post',
    path: '/api/search/test',
    access: 'admin',
    limit: 'connect',
    summary: 'Test the search engine with a small query',
    returns: z.strictObject({
      ok: z.boolean(),
      results: z.number().int(),
      durationMs: z.number().int(),
      /** Why it failed, for people. */
      detail: z.string().nullable(),
      first: z.strictObject({ title: z.string(), url: z.string() }).nullable(),
    }),
    errors: ['provider_not_configured'],
  },
})

export const webSearchArea = area(webSearchDescription, {
  routes: webSearchRoutes,
  shapes: { JsonEngine, WebSearchConfig },
})
