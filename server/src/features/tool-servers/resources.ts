/** What tool servers are to the rest of the product: administrators share those that are for chosen people. */
import type { toolServersArea } from '@atrium/contract/tool-servers'
import type { ResourcesOf } from '../../core/resources/index.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import type { ToolServerContext } from './context.ts'
import { type StoredServer, toolServerPlaces } from './store.ts'

/** What its owner entered, and the tools that they accepted; no secret. */
const toExported = ({
  name,
  description,
  kind,
  baseUrl,
  specUrl,
  authMode,
  enabled,
  tools,
  createdAt,
}: StoredServer) => ({
  name,
  description,
  kind,
  baseUrl,
  specUrl,
  authMode,
  enabled,
  tools: tools.accepted.map((tool) => ({
    name: tool.originalName,
    enabled: tool.enabled,
    sideEffect: tool.sideEffect,
  })),
  createdAt: toIsoTime(createdAt),
})

export const toolServerResources = ({
  announce,
  clock,
  store,
}: ToolServerContext): ResourcesOf<typeof toolServersArea> => ({
  'tool-server': {
    missing: 'tool_server_not_found',
    places: toolServerPlaces,
    within: null,
    async describe(ids) {
      const servers = (await store.listShared()).filter(({ id }) => ids.includes(id))
      return new Map(servers.map(({ id, name }) => [id, { accountId: 'instance', name }]))
    },
    async changed(_id, accountIds) {
      for (const accountId of accountIds) await announce(accountId, { type: 'tool-servers-changed', data: {} })
    },
    // They are nobody's, so support access to what an account has finds none.
    list: async () => ({ items: [], nextCursor: null }),
    // Shared ones belong to the instance; what an account has of them is a secret.
    async *export(accountId) {
      const own = await store.listOwn(accountId)
      if (own.length === 0) return
      const content = JSON.stringify(own.map(toExported), null, 2)
      yield { name: 'tool-servers.json', modifiedAt: clock.now(), pack: true, content: [Buffer.from(content)] }
    },
    removeAccount: null,
    transfer: { never: 'It belongs to the instance; a personal one holds secrets of its owner.' },
  },
})
