/** What an account allowed for more than once, as far as it still holds. */
import type { StandingApproval } from '@atrium/contract/tools'
import type { ToolsContext } from './context.ts'

/** Those whose tool changed, is gone, or may not be used any more end here. */
export const currentStanding = async (
  { builtins, catalogue, standing }: ToolsContext,
  accountId: string,
): Promise<StandingApproval[]> => {
  const [all, { available, tools, away }] = await Promise.all([standing.list(accountId), catalogue.list(accountId)])
  const byId = new Map(tools.map((tool) => [tool.id, tool]))
  // What has nothing to do now comes back, such as a tool for documents where there are none, or of a server that is away.
  const isResting = (toolId: string) =>
    !byId.has(toolId) && (away.has(toolId) || builtins().some(({ name }) => toolId === `builtin:${name}`))
  const holds = ({ toolId, digest }: (typeof all)[number]): boolean => {
    const tool = byId.get(toolId)
    return available && (tool ? tool.digest === digest && tool.mode !== 'never' : isResting(toolId))
  }
  const over = all.filter((one) => !holds(one))
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

export interface StandingReview {
  /** Ends what does not hold for an account any more. In the background: all accounts may be told of a change at once. */
  soon(accountId: string): void
}

/** So many accounts are looked up at once. */
const lookedUpAtOnce = 100

/** A right that is lost and given back was lost: what stood for it is not kept until somebody looks. */
export const createStandingReview = (context: ToolsContext): StandingReview => {
  const { announce, log, standing } = context
  const due = new Set<string>()
  let isWorking = false

  const review = async (accountId: string): Promise<void> => {
    const before = await standing.list(accountId)
    const after = await currentStanding(context, accountId)
    if (after.length < before.length) await announce(accountId, { type: 'tools-changed', data: {} })
  }
  const work = async (): Promise<void> => {
    isWorking = true
    try {
      while (due.size > 0) {
        const some = [...due].slice(0, lookedUpAtOnce)
        for (const accountId of some) due.delete(accountId)
        for (const accountId of await standing.accountsAmong(some)) await review(accountId)
      }
    } catch (error) {
      log.error('standing approvals could not be reviewed', { error })
    } finally {
      // With the last look at what is due, and no moment later: who asks in between would wait for nobody.
      isWorking = false
    }
  }
  return {
    soon(accountId) {
      due.add(accountId)
      if (!isWorking) void work()
    },
  }
}
