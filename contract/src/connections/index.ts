/** Providers and models: definitions, what each account has of them, quick connections. */
import { area } from '../area.ts'
import { Id } from '../common.ts'
import { connectionsDescription } from './area.ts'
import { Auth, Capabilities, Definition, Plugin, Variable } from './definition.ts'
import {
  CatalogueModel,
  Model,
  ModelPrice,
  ModelProvider,
  PluginStatus,
  TestEvent,
  TestStep,
  VariableValue,
} from './state.ts'
import { z } from 'zod'
import { UnreadableIds } from './definition.ts'
import { definitions } from './definitions.ts'
import { own } from './own.ts'
import { ConnectionSharing, ModelRequest, sharing } from './sharing.ts'
import { Connection, Discovery, FoundRuntime, ModelList, ProbeResult } from './state.ts'
import { routes } from '../route.ts'

export * from './definition.ts'
export { ConnectionSharing, ModelRequest, SharedKeyState, SharingMode } from './sharing.ts'
export * from './state.ts'
export { definitions as definitionRoutes } from './definitions.ts'
export { own as ownRoutes } from './own.ts'
export { sharing as sharingRoutes } from './sharing.ts'

const ModelNames = z.array(z.string().trim().min(1).max(200)).min(1).max(200)

const connecting = routes({
  models: {
    method: 'get',
    path: '/api/models',
    access: 'user',
    summary: 'List the chat models that you can choose, from the stored catalogues',
    returns: ModelList,
  },
  connections: {
    method: 'get',
    path: '/api/connections',
    access: 'user',
    summary: 'List the instance’s connections with your state of each. Bundled ones are listed if you use them',
    returns: z.strictObject({ items: z.array(Connection), nextCursor: z.null(), unreadable: UnreadableIds }),
  },
  quick: {
    method: 'post',
    path: '/api/connections/quick',
    access: 'admin',
    audit: 'definition.install',
    limit: 'connect',
    summary:
      'Connect a provider by name, chat completions URL and key. All or nothing: a failure leaves nothing behind',
    body: z.strictObject({
      name: z.string().trim().min(1).max(100),
      url: z.string().trim().min(1).max(2048),
      apiKey: z.string().trim().min(1).max(4096).optional(),
      /** Allow exactly this private host and port for outbound calls. */
      allowPrivate: z.boolean().optional(),
      /** The ids of its models, used where it answers, but lists none. */
      models: ModelNames.optional(),
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
  quickTest: {
    method: 'post',
    path: '/api/connections/quick/test',
    access: 'admin',
    limit: 'connect',
    summary:
      'Test a quick connection step by step; closing the request stops it. Nothing is stored, and the last step’s tokens aren’t counted',
    body: z.strictObject({
      url: z.string().trim().min(1).max(2048),
      apiKey: z.string().trim().min(1).max(4096).optional(),
      /** Allow this private host and port for this one test. */
      allowPrivate: z.boolean().optional(),
      /** The ids of its models; the first is asked where none is listed. */
      models: ModelNames.optional(),
    }),
    returns: z.never(),
    stream: TestEvent,
    errors: ['url_not_allowed'],
  },
  updateConnection: {
    method: 'put',
    path: '/api/connections/{id}',
    access: 'admin',
    names: 'instance',
    summary:
      'Rename an installed connection, or list its models if the provider doesn’t. Activations, keys and catalogues stay',
    params: z.strictObject({ id: Id }),
    body: z.strictObject({
      name: z.string().trim().min(1).max(100).optional(),
      models: ModelNames.optional(),
    }),
    returns: Connection,
    errors: ['plugin_not_found'],
  },
  probe: {
    method: 'post',
    path: '/api/connections/probe',
    access: 'admin',
    limit: 'connect',
    summary:
      'Detect what an address leads to: a local runtime (managed in the settings) or an endpoint for a quick connection. Nothing is stored',
    body: z.strictObject({
      /** A base address, a full one, or only a host and port. */
      url: z.string().trim().min(1).max(2048),
      /** Allow this private host and port for this one look. */
      allowPrivate: z.boolean().optional(),
    }),
    returns: ProbeResult,
    errors: ['url_not_allowed'],
  },
  found: {
    method: 'get',
    path: '/api/connections/found',
    access: 'admin',
    limit: 'connect',
    summary: 'List local servers for models, images and speech that respond on their usual loopback ports',
    returns: z.strictObject({ items: z.array(FoundRuntime), nextCursor: z.null() }),
  },
})

export const connectionsRoutes = { ...connecting, ...definitions, ...own, ...sharing }

export const connectionsArea = area(connectionsDescription, {
  routes: connectionsRoutes,
  shapes: {
    Auth,
    Capabilities,
    CatalogueModel,
    Connection,
    ConnectionSharing,
    Definition,
    Discovery,
    FoundRuntime,
    Model,
    ModelList,
    ModelPrice,
    ModelProvider,
    ModelRequest,
    Plugin,
    PluginStatus,
    ProbeResult,
    TestEvent,
    TestStep,
    Variable,
    VariableValue,
  },
})
