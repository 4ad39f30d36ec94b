/** Definitions: everybody sees what there is; administrators install, change and remove. */
import { Definition, type definitionRoutes, type Plugin } from '@atrium/contract/connections'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { requireSoundAddresses } from './addresses.ts'
import { isSignedIn, missingCredential } from '../keys.ts'
import type { ExpectedState } from '../stores/definitions.ts'
import type { ConnectionContext } from '../context.ts'
import type { AccountConnection } from '../types.ts'
import { readDefinitionFile } from './upload.ts'

export function definitionHandlers(deps: ConnectionContext): Handlers<typeof definitionRoutes> {
  const { store, readConnection, announceModels } = deps

  const toPlugin = async (connection: AccountConnection): Promise<Plugin> => {
    const { installed, own } = connection
    return {
      ...plain(installed.definition),
      source: installed.source,
      active: own.activatedAt !== null,
      available: await isAvailable(connection),
      signIn: isSignedIn(installed),
      local: installed.bundled?.local === true,
      createdAt: timeOf(installed.createdAt),
      updatedAt: timeOf(installed.updatedAt),
    }
  }
  const isAvailable = async (connection: AccountConnection): Promise<boolean> => {
    if (missingCredential(connection, deps.environmentKey) !== null) return false
    if (!isSignedIn(connection.installed)) return true
    const state = (await deps.signIn?.available())?.state
    return state === 'signed-in' || state === 'refreshing'
  }
  const toPlugins = async (connections: readonly AccountConnection[]) => ({
    items: await Promise.all(connections.map(toPlugin)),
    nextCursor: null,
  })
  const put = async (
    accountId: string,
    definition: Definition,
    expected: ExpectedState,
    at: string,
  ): Promise<Plugin> => {
    requireSoundAddresses(definition, at)
    const users = await store.putDefinition(definition, expected)
    await Promise.all([...new Set([accountId, ...users])].map(announceModels))
    return await toPlugin(await readConnection(accountId, definition.id))
  }
  return {
    async plugins(_input, { caller }) {
      const [all, unreadable] = await Promise.all([store.all(caller.accountId), store.unreadable()])
      return { ...(await toPlugins(all)), unreadable }
    },

    activePlugins: async (_input, { caller }) => await toPlugins(await store.active(caller.accountId)),

    async currentPlugin(_input, { caller }) {
      const [first] = await store.active(caller.accountId)
      return { plugin: first ? await toPlugin(first) : null }
    },

    async pluginStatus(_input, { caller }) {
      const items = (await store.all(caller.accountId)).map(async (connection) => ({
        id: connection.installed.definition.id,
        active: connection.own.activatedAt !== null,
        available: await isAvailable(connection),
      }))
      return { items: await Promise.all(items), nextCursor: null }
    },

    plugin: async ({ params: { id } }, { caller }) => await toPlugin(await readConnection(caller.accountId, id)),

    async uploadPlugin({ file, query: { name } }, { caller }) {
      return await put(caller.accountId, await readDefinitionFile(file, name), 'new', 'file')
    },

    installPlugin: ({ body }, { caller }) => put(caller.accountId, body, 'any', 'body'),

    async updatePlugin({ params: { id }, body }, { caller }) {
      if (body.id !== id) {
        throw fail('validation_failed', undefined, [{ path: 'body.id', message: 'must be the id in the address' }])
      }
      return await put(caller.accountId, body, 'known', 'body')
    },

    async remove({ params: { id } }) {
      const users = await store.remove(id)
      if (!users) throw fail('plugin_not_found')
      await Promise.all(users.map(announceModels))
      return {}
    },

    async exportPlugin({ params: { id } }, { caller }) {
      const { definition } = (await readConnection(caller.accountId, id)).installed
      return {
        body: Buffer.from(`${JSON.stringify(plain(definition), null, 2)}\n`),
        mediaType: 'application/json',
        fileName: `${id}.json`,
        disposition: 'attachment',
      }
    },
  }
}

/** What may be exported: nothing of what only Atrium's own definitions contain. */
const plain = (definition: Definition): Definition =>
  Object.fromEntries(Object.entries(definition).filter(([name]) => name in Definition.shape)) as Definition

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
