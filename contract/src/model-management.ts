/** Providers and models: definitions, what each account has of them, quick connections. */
import { z } from 'zod'
import { Id, Nothing, Selection } from './common.ts'
import { routes } from './route.ts'

export const Capability = z.enum(['chat', 'embedding', 'image', 'tts', 'stt', 'audio', 'video'])
export type Capability = z.infer<typeof Capability>

/** One model that may be picked for chat. */
export const Model = z.strictObject({
  selection: Selection,
  name: z.string(),
  providerName: z.string(),
  /** Tokens; null when the provider does not say. */
  contextWindow: z.number().int().nullable(),
  features: z.array(z.enum(['vision', 'tools', 'thinking'])),
  local: z.boolean(),
  sizeBytes: z.number().int().nullable(),
})
export type Model = z.infer<typeof Model>

export const ModelProvider = z.strictObject({
  providerType: z.enum(['local', 'plugin', 'builtin']),
  providerId: z.string().nullable(),
  name: z.string(),
  modelCount: z.number().int(),
  /** What the last look at the catalogue found; the old catalogue stays in use after a failure. */
  state: z.enum(['ready', 'key-needed', 'unreachable', 'not-checked', 'disabled']),
  detail: z.string().nullable(),
})
export type ModelProvider = z.infer<typeof ModelProvider>

export const ModelList = z.strictObject({
  items: z.array(Model),
  providers: z.array(ModelProvider),
  /** The model a new chat starts with, and why. */
  fallback: z
    .strictObject({ selection: Selection, because: z.enum(['own-default', 'only-model', 'first-connected']) })
    .nullable(),
})
export type ModelList = z.infer<typeof ModelList>

export const Variable = z.strictObject({
  name: z.string().min(1).max(100),
  type: z.enum(['string', 'number', 'boolean', 'select']),
  label: z.string().max(200),
  description: z.string().max(2000).optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  required: z.boolean().optional(),
  sensitive: z.boolean().optional(),
  options: z.array(z.unknown()).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
})

/** A provider definition, as an administrator installs it. */
export const Definition = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9._-]{1,100}$/),
  name: z.string().min(1).max(200),
  type: z.enum(['completion', 'chat', 'embedding', 'tts', 'stt', 'image', 'audio', 'video']),
  endpoint: z.url({ protocol: /^https?$/ }).max(2048),
  api_mode: z.enum(['chat_completions', 'responses']).optional(),
  auth: z.strictObject({
    header: z.string().max(100),
    prefix: z.string().max(100).optional(),
    key_env: z.string().max(100),
    optional: z.boolean().optional(),
  }),
  model_map: z.array(z.string().min(1).max(300)).min(1).max(5000),
  variables: z.array(Variable).max(100).optional(),
  description: z.string().max(2000).optional(),
})
export type Definition = z.infer<typeof Definition>

/** The four outcomes of a refresh, with the figures or the reason behind them. */
export const Discovery = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('updated'), added: z.number().int(), removed: z.number().int() }),
  z.strictObject({ outcome: z.literal('unchanged') }),
  z.strictObject({ outcome: z.literal('missing_credentials'), reason: z.string() }),
  z.strictObject({ outcome: z.literal('unavailable'), reason: z.string() }),
])
export type Discovery = z.infer<typeof Discovery>

/** One connection as its account sees it. */
export const Connection = z.strictObject({
  id: z.string(),
  name: z.string(),
  endpoint: z.string(),
  active: z.boolean(),
  needsKey: z.boolean(),
  hasKey: z.boolean(),
  /** The last characters of the stored key. */
  keyEnding: z.string().nullable(),
  modelCount: z.number().int(),
  /** Models of the catalogue that are not for chat (speech, images, embeddings). */
  otherCount: z.number().int(),
  discoveredAt: z.string().nullable(),
  lastOutcome: Discovery.nullable(),
})
export type Connection = z.infer<typeof Connection>

export const FoundRuntime = z.strictObject({
  kind: z.enum(['ollama', 'openai-compatible']),
  name: z.string(),
  url: z.string(),
  modelCount: z.number().int(),
  connected: z.boolean(),
})
export type FoundRuntime = z.infer<typeof FoundRuntime>

const ById = z.strictObject({ id: Id })

export const modelManagement = routes({
  models: {
    method: 'get',
    path: '/api/models',
    access: 'user',
    summary: 'Every chat model that the account may pick, from the stored catalogues',
    returns: ModelList,
  },
  connections: {
    method: 'get',
    path: '/api/connections',
    access: 'user',
    summary: 'The connections of the instance with the own state of each',
    returns: z.strictObject({ items: z.array(Connection), nextCursor: z.null() }),
  },
  quick: {
    method: 'post',
    path: '/api/connections/quick',
    access: 'admin',
    limit: 'connect',
    summary: 'Connect a provider by name, chat-completions URL and key, in one step that leaves nothing half-made',
    body: z.strictObject({
      name: z.string().trim().min(1).max(100),
      url: z.string().trim().min(1).max(2048),
      apiKey: z.string().trim().min(1).max(4096).optional(),
      /** Allow exactly this private host and port for outbound calls. */
      allowPrivate: z.boolean().optional(),
    }),
    returns: z.strictObject({ connection: Connection, discovery: Discovery }),
    errors: [
      'plugin_exists',
      'setting_locked',
      'url_not_allowed',
      'provider_unreachable',
      'provider_rejected',
      'provider_failed',
      'api_key_needed',
    ],
  },
  found: {
    method: 'get',
    path: '/api/connections/found',
    access: 'admin',
    limit: 'connect',
    summary: 'Local runtimes that answer on their usual loopback ports',
    returns: z.strictObject({ items: z.array(FoundRuntime), nextCursor: z.null() }),
  },
  activate: {
    method: 'post',
    path: '/api/plugins/activate/{id}',
    access: 'user',
    limit: 'connect',
    summary: 'Use this connection, and look at its models',
    params: ById,
    returns: z.strictObject({ connection: Connection, discovery: Discovery }),
    errors: ['plugin_not_found'],
  },
  deactivate: {
    method: 'post',
    path: '/api/plugins/deactivate/{id}',
    access: 'user',
    summary: 'Stop using this connection; key and catalogue are kept',
    params: ById,
    returns: Connection,
    errors: ['plugin_not_found'],
  },
  discover: {
    method: 'post',
    path: '/api/plugins/discover/{id}',
    access: 'user',
    limit: 'connect',
    summary: 'Ask the provider for its models again',
    params: ById,
    returns: z.strictObject({ connection: Connection, discovery: Discovery }),
    errors: ['plugin_not_found'],
  },
  saveKey: {
    method: 'post',
    path: '/api/plugins/{id}/credentials',
    access: 'user',
    limit: 'connect',
    summary: 'Store the own key for this connection, sealed',
    params: ById,
    body: z.strictObject({ apiKey: z.string().trim().min(1).max(4096) }),
    returns: z.strictObject({ connection: Connection, discovery: Discovery }),
    errors: ['plugin_not_found'],
  },
  removeKey: {
    method: 'delete',
    path: '/api/plugins/{id}/credentials',
    access: 'user',
    summary: 'Forget the own key for this connection',
    params: ById,
    returns: Connection,
    errors: ['plugin_not_found'],
  },
  remove: {
    method: 'delete',
    path: '/api/plugins/{id}',
    access: 'admin',
    summary: 'Remove a connection with every account’s key, catalogue and activation of it',
    params: ById,
    returns: Nothing,
    errors: ['plugin_not_found'],
  },
})
