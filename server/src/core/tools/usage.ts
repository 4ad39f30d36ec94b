/** How often tools were called, for oneself and for administrators; of servers the caller can’t use, no name. */
import type { ToolUsage, toolsRoutes } from '@atrium/contract/tools'
import type { Handlers } from '../../platform/http/area.ts'
import { hiddenToolId } from './audit-id.ts'
import type { ToolsContext } from './context.ts'
import type { UsageSums } from './stores/usage.ts'

type UsageRoutes = Pick<Handlers<typeof toolsRoutes>, 'usage' | 'allUsage'>

export const usageHandlers = ({ auditIds, catalogue, clock, usage, vault }: ToolsContext): UsageRoutes => {
  const present = async (callerId: string, sums: readonly UsageSums[], isOwn: boolean): Promise<ToolUsage[]> => {
    const { tools } = await catalogue.list(callerId)
    const names = new Map(tools.flatMap(({ server }) => (server ? [[server.id, server.name] as const] : [])))
    const serverIds = isOwn ? [] : [...new Set(sums.flatMap(({ server_id }) => server_id ?? []))]
    const shared = await Promise.all(serverIds.map((id) => auditIds.isShared(id)))
    const hidden = new Set(serverIds.filter((id, index) => !names.has(id) && !shared[index]))
    return sums.map(({ tool_id, tool_name, source, server_id, durationMs, ...counts }) => {
      const ended = counts.succeeded + counts.failed
      // What models call a tool begins with the name of its server, which may be somebody’s own.
      const isNamed = isOwn || server_id === null || names.has(server_id)
      const toolId = server_id !== null && hidden.has(server_id) ? hiddenToolId(vault, tool_id) : tool_id
      return {
        toolId,
        toolName: isNamed ? tool_name : toolId.slice(toolId.indexOf('/') + 1),
        source,
        serverId: server_id,
        serverName: server_id === null ? null : (names.get(server_id) ?? null),
        ...counts,
        averageMs: ended === 0 ? null : Math.round(durationMs / ended),
      }
    })
  }
  return {
    async usage({ query: { days } }, { caller: { accountId } }) {
      return { items: await present(accountId, await usage.sums(accountId, days, clock.now()), true), nextCursor: null }
    },
    async allUsage({ query: { days } }, { caller: { accountId } }) {
      return { items: await present(accountId, await usage.sums(null, days, clock.now()), false), nextCursor: null }
    },
  }
}
