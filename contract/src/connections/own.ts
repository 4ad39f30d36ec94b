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
    summary: 'Activate a connection and load its models',
    params: ById,
    returns: Looked,
    errors: ['plugin_not_found'],
  },
  deactivate: {
    method: 'post',
    path: '/api/plugins/deactivate/{id}',
    access: 'user',
    names: 'instance',
    summary: 'Deactivate a connection. Its key and catalogue are kept',
    params: ById,
    returns: Connection,
    errors: ['plugin_not_found'],
  },
  deactivateAll: {
    method: 'post',
    path: '/api/plugins/deactivate',
    access: 'user',
    summary: 'Deactivate all of your connections',
    returns: Nothing,
  },
  discover: {
    method: 'post',
    path: '/api/plugins/discover/{id}',
    access: 'user',
    names: 'instance',
    limit: 'connect',
    summary: 'Reload the provider’s models',
    params: ById,
    returns: Looked,
    errors: ['plugin_not_found'],
  },
  catalogue: {
    method: 'get',
    path: '/api/plugins/{id}/models',
    access: 'user',
    names: 'instance',
    summary: 'List all models in your catalogue, of every kind, labelled with their reported capabilities',
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
      'Test a connection step by step; closing the request stops it. Steps after a failed one may be skipped; the last one uses a few tokens',
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
    summary: 'List the connections for which you have stored a key',
    returns: list(z.strictObject({ pluginId: z.string(), hasApiKey: z.boolean(), updatedAt: z.string() })),
  },
  saveKey: {
    method: 'post',
    path: '/api/plugins/{id}/credentials',
    access: 'user',
    names: 'instance',
    limit: 'connect',
    summary: 'Store your key for a connection, encrypted and bound to its current route',
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
    summary: 'Delete your key for a connection',
    params: ById,
    returns: Connection,
    errors: ['plugin_not_found'],
  },
  checkKey: {
    method: 'get',
    path: '/api/plugins/{id}/credentials/check',
    access: 'user',
    names: 'instance',
    summary: 'Check whether there is a usable key for a connection, and which. The provider is not called',
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
      'Get the values of a definition’s variables. Connection variables show their defaults unless you are an administrator',
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
    summary:
      'Set or reset variables. Connection variables apply to the whole instance, and only administrators can set them',
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
    summary: 'Reset your variables; as an administrator, also the connection’s',
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
    summary: 'Allow outbound calls to the private hosts and ports that a connection’s own routes name',
    params: ById,
    returns: z.strictObject({ allowed: z.array(z.string()) }),
    errors: ['plugin_not_found', 'url_not_allowed', 'setting_locked'],
  },
})
