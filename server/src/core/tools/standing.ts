/** What an account allowed for more than once, as far as it still holds. */
import type { StandingApproval } from '@atrium/contract/tools'
import type { ToolsContext } from './context.ts'

/** Those whose tool changed, is gone, or may not be used any more end here. */
export const currentStanding = async (
  { builtins, catalogue, standing }: ToolsContext,
  accountId: string,
): Promise<StandingApproval[]> => {
  const [all, { tools, away }] = await Promise.all([standing.list(accountId), catalogue.list(accountId)])
  const byId = new Map(tools.map((tool) => [tool.id, tool]))
  // What has nothing to do now comes back, such as a tool for documents where there are none, or of a server that is away.
  const isResting = (toolId: string) =>
    !byId.has(toolId) && (away.has(toolId) || builtins().some(({ name }) => toolId === `builtin:${name}`))
  const over = all.filter(({ toolId, digest }) => byId.get(toolId)?.digest !== digest && !isResting(toolId))
  await standing.removeAll(over.map(({ id }) => id))
  return all
    .filter((one) => !over.includes(one))
    .map(({ id, toolId, chatId, createdAt }) => {
      const tool = byId.get(toolId)
      return {
        id,
        toolId,
        toolName: tool?.name ?? toolId.slice(toolId.indexOf(':') + 1),
        serverId: tool?.server?.id ?? null,
        serverName: tool?.server?.name ?? null,
        reach: chatId === null ? 'always' : 'chat',
        chatId,
        createdAt: new Date(createdAt).toISOString(),
      }
    })
}
