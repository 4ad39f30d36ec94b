/** Routes of definitions: everybody sees them, administrators change them. */
import { z } from 'zod'
import { Id, Nothing } from '../common.ts'
import { bytes, routes } from '../route.ts'
import { Definition, Plugin, UnreadableIds } from './definition.ts'
import { PluginStatus } from './state.ts'

const ById = z.strictObject({ id: Id })
const list = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item), nextCursor: z.null() })

export const definitions = routes({
  plugins: {
    method: 'get',
    path: '/api/plugins',
    access: 'user',
    summary: 'List the provider definitions that you can use, with your state of each',
    returns: list(Plugin).extend({ unreadable: UnreadableIds }),
  },
  activePlugins: {
    method: 'get',
    path: '/api/plugins/active',
    access: 'user',
    summary: 'List the definitions that you use',
    returns: list(Plugin),
  },
  currentPlugin: {
    method: 'get',
    path: '/api/plugins/active/current',
    access: 'user',
    summary: 'Get the definition that you have used longest, or null',
    returns: z.strictObject({ plugin: Plugin.nullable() }),
  },
  pluginStatus: {
    method: 'get',
    path: '/api/plugins/status/all',
    access: 'user',
    summary: 'Get which definitions you use, and which you could use',
    returns: list(PluginStatus),
  },
  plugin: {
    method: 'get',
    path: '/api/plugins/{id}',
    access: 'user',
    names: 'instance',
    summary: 'Get a definition with your state of it',
    params: ById,
    returns: Plugin,
    errors: ['plugin_not_found'],
  },
  uploadPlugin: {
    method: 'post',
    path: '/api/plugins/upload',
    access: 'admin',
    audit: 'definition.install',
    limit: 'connect',
    summary:
      'Install a definition from a JSON file (raw, or as the form field `plugin`). Refused if its id is already installed',
    query: z.strictObject({ name: z.string().max(255).optional() }),
    upload: { maxBytes: 10 * 1024 * 1024 },
    returns: Plugin,
    errors: ['plugin_exists', 'url_not_allowed', 'unsupported_media_type'],
  },
  installPlugin: {
    method: 'post',
    path: '/api/plugins/install',
    access: 'admin',
    audit: 'definition.install',
    limit: 'connect',
    summary: 'Install a definition. Replaces an installed one with the same id and deactivates it for everyone',
    body: Definition,
    returns: Plugin,
    errors: ['plugin_exists', 'url_not_allowed'],
  },
  updatePlugin: {
    method: 'put',
    path: '/api/plugins/{id}',
    access: 'admin',
    names: 'instance',
    audit: 'definition.update',
    limit: 'connect',
    summary:
      'Update an installed definition. Deactivates it for everyone; keys stay bound to the route they were saved for',
    params: ById,
    body: Definition,
    returns: Plugin,
    errors: ['plugin_not_found', 'plugin_exists', 'url_not_allowed'],
  },
  remove: {
    method: 'delete',
    path: '/api/plugins/{id}',
    access: 'admin',
    names: 'instance',
    audit: 'definition.delete',
    summary:
      'Delete an installed definition with every account’s key, values, catalogue and activation. A bundled one with its id takes its place again',
    params: ById,
    returns: Nothing,
    errors: ['plugin_not_found'],
  },
  exportPlugin: {
    method: 'get',
    path: '/api/plugins/{id}/export',
    access: 'user',
    names: 'instance',
    summary: 'Export a definition as a JSON file that can be installed elsewhere',
    params: ById,
    returns: bytes,
    errors: ['plugin_not_found'],
  },
})
