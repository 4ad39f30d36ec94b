/** What tool servers are to the rest of the product: administrators share those that are for chosen people. */
import type { toolServersArea } from '@atrium/contract/tool-servers'
import type { ResourcesOf } from '../../core/resources/index.ts'
import type { ToolServerContext } from './context.ts'
import { toolServerPlaces } from './store.ts'

export const toolServerResources = ({ announce, store }: ToolServerContext): ResourcesOf<typeof toolServersArea> => ({
  'tool-server': {
    missing: 'tool_server_not_found',
    places: toolServerPlaces,
    within: null,
    async describe(ids) {
      const servers = (await store.list()).filter(({ id }) => ids.includes(id))
      return new Map(servers.map(({ id, name }) => [id, { accountId: 'instance', name }]))
    },
    async changed(_id, accountIds) {
      for (const accountId of accountIds) await announce(accountId, { type: 'tool-servers-changed', data: {} })
    },
    // They are nobody's, so support access to what an account has finds none.
    list: async () => ({ items: [], nextCursor: null }),
    // They belong to the instance, and so do their definitions; what an account has of them is a secret.
    export: null,
    removeAccount: null,
  },
})
