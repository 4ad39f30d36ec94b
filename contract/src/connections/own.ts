/** Routes of what an account has of a provider: activation, key, values, catalogue. */
import { z } from 'zod'
import { Id, Nothing } from '../common.ts'
import { routes } from '../route.ts'
import { CatalogueModel, Connection, Discovery, KeyState, TestEvent, VariableValues } from './state.ts'

const ById = z.strictObject({ id: Id })
const list = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item), nextCursor: z.null() })
const Looked = z.strictObject({ connection: Connection, discovery: Discovery })
const Value = z.union([z.string().max(2048), z.number(), z.boolean()])
const VariableName = z.string().min(1).max(100)

export const own = routes({
  activate: {
    method: 'post',
    path: '/api/plugins/activate/{id}',
    access: 'user',
    names: 'instance',
    limit: 'connect',
    summary: 'Use this connection, and look at its models',
    params: ById,
    returns: Looked,
    errors: ['plugin_not_found'],
  },
  deactivate: {
    method: 'post',
    path: '/api/plugins/deactivate/{id}',
    access: 'user',
    names: 'instance',
    summary: 'Stop using this connection; key and catalogue are kept',
    params: ById,
    returns: Connection,
    errors: ['plugin_not_found'],
  },
  deactivateAll: {
    method: 'post',
    path: '/api/plugins/deactivate',
    access: 'user',
    summary: 'Stop using every connection',
    returns: Nothing,
  },
  discover: {
    method: 'post',
    path: '/api/plugins/discover/{id}',
    access: 'user',
    names: 'instance',
    limit: 'connect',
    summary: 'Ask the provider for its models again',
    params: ById,
    returns: Looked,
    errors: ['plugin_not_found'],
  },
  catalogue: {
    method: 'get',
    path: '/api/plugins/{id}/models',
    access: 'user',
    names: 'instance',
    summary: 'Every model of the own catalogue, of any kind, with labels of what it is said to do',
    params: ById,
    returns: list(CatalogueModel),
    errors: ['plugin_not_found'],
  },
  test: {
    method: 'post',
    path: '/api/plugins/{id}/test',
    access: 'user',
    names: 'instance',
    limit: 'connect',
    summary:
      'Try the connection and follow it step by step; whoever leaves stops it. What a failed step leaves no way to try is skipped; the last step asks a model for a few tokens',
    params: ById,
    body: z.strictObject({
      /** The model to ask; else one that the provider lists. */
      model: z.string().min(1).max(200).optional(),
    }),
    returns: z.never(),
    stream: TestEvent,
    errors: ['plugin_not_found'],
  },
  keys: {
    method: 'get',
    path: '/api/plugins/credentials/all',
    access: 'user',
    summary: 'For which connections the account has stored a key',
    returns: list(z.strictObject({ pluginId: z.string(), hasApiKey: z.boolean(), updatedAt: z.string() })),
  },
  saveKey: {
    method: 'post',
    path: '/api/plugins/{id}/credentials',
    access: 'user',
    names: 'instance',
    limit: 'connect',
    summary: 'Store the own key for this connection, sealed, for the route as it stands',
    params: ById,
    body: z.strictObject({ apiKey: z.string().trim().min(1).max(4096) }),
    returns: Looked,
    errors: ['plugin_not_found'],
  },
  removeKey: {
    method: 'delete',
    path: '/api/plugins/{id}/credentials',
    access: 'user',
    names: 'instance',
    summary: 'Forget the own key for this connection',
    params: ById,
    returns: Connection,
    errors: ['plugin_not_found'],
  },
  checkKey: {
    method: 'get',
    path: '/api/plugins/{id}/credentials/check',
    access: 'user',
    names: 'instance',
    summary: 'Whether a key can be used for this connection, and which; the provider is not asked',
    params: ById,
    returns: z.strictObject({
      /** A call could be made: a key stands ready, or none is needed. */
      usable: z.boolean(),
      state: KeyState,
      detail: z.string().nullable(),
    }),
    errors: ['plugin_not_found'],
  },
  variables: {
    method: 'get',
    path: '/api/plugins/{id}/variables',
    access: 'user',
    names: 'instance',
    summary:
      'The values of the definition’s variables; whoever is no administrator sees connection variables at their defaults',
    params: ById,
    returns: VariableValues,
    errors: ['plugin_not_found'],
  },
  saveVariables: {
    method: 'put',
    path: '/api/plugins/{id}/variables',
    access: 'user',
    names: 'instance',
    limit: 'connect',
    summary: 'Save values, or set them back; connection variables hold for the instance, and administrators set them',
    params: ById,
    body: z.strictObject({
      variables: z.record(VariableName, Value),
      unset: z.array(VariableName).max(100).optional(),
      /** Allow exactly these private hosts and ports for outbound calls (administrators). */
      allowPrivate: z.boolean().optional(),
    }),
    returns: VariableValues,
    errors: ['plugin_not_found', 'forbidden', 'url_not_allowed', 'setting_locked'],
  },
  resetVariables: {
    method: 'delete',
    path: '/api/plugins/{id}/variables',
    access: 'user',
    names: 'instance',
    summary: 'Set the own values back; administrators also those of the connection',
    params: ById,
    returns: VariableValues,
    errors: ['plugin_not_found'],
  },
  allowPlugin: {
    method: 'post',
    path: '/api/plugins/{id}/allow',
    access: 'admin',
    names: 'instance',
    audit: 'setting.change',
    limit: 'connect',
    summary: 'Allow the private hosts and ports that this connection’s own routes name, for outbound calls',
    params: ById,
    returns: z.strictObject({ allowed: z.array(z.string()) }),
    errors: ['plugin_not_found', 'url_not_allowed', 'setting_locked'],
  },
})
