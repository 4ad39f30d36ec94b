/**
 * Calls of pages that came with a result (MCP Apps): of tools of the same server alone, by the same rules as a model’s. A page
 * is untrusted text that has seen the result, so that its person is asked about each call.
 */
import { appMediaType } from '@atrium/contract/generation'
import type { toolsRoutes } from '@atrium/contract/tools'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { ToolsContext } from './context.ts'
import type { CatalogTool } from './types.ts'
import { recordRefusal } from './refusals.ts'
import { runCall } from './run-call.ts'

const mostArgumentLetters = 262_144
/** What a page reads of a result. */
const mostLetters = 1_048_576

export const appCallHandlers = (context: ToolsContext): Pick<Handlers<typeof toolsRoutes>, 'callFromApp'> => ({
  async callFromApp({ params: { recordId }, body }, { caller: { accountId }, signal }) {
    const { approvals, calls, catalogue, clock } = context
    const origin = await calls.byId(accountId, recordId)
    const came = origin && (await calls.outcomeOf(accountId, recordId))
    if (!origin?.serverId || !came?.media.some(({ mediaType }) => mediaType === appMediaType))
      throw fail('tool_call_not_found')
    const { tools } = await catalogue.list(accountId)
    const isCalled = ({ id, server, nameAtServer }: CatalogTool): boolean =>
      nameAtServer === undefined
        ? id === `server:${origin.serverId}/${body.name}`
        : server?.id === origin.serverId && nameAtServer === body.name
    const tool = tools.find(isCalled)
    const args = JSON.stringify(body.arguments)
    if (!tool || tool.mode === 'never' || args.length > mostArgumentLetters) {
      await recordRefusal(context, accountId, tool ? context.auditIds.ofTool(tool) : null, { reason: 'unavailable' })
      throw fail('tool_unavailable')
    }
    const id = `app_${recordId}_${clock.id()}`
    const result = await runCall(context, {
      request: {
        accountId,
        chatId: origin.chatId,
        subjectId: origin.subjectId,
        runId: origin.id,
        question: '',
        ids: [tool.id],
        contextWindow: null,
        vision: false,
        // What else the chat has read is not known here.
        holds: () => ({ privateData: true, foreignText: true }),
        nextSource: () => 1,
      },
      tool,
      tools,
      isToldByServers: true,
      call: { id, name: tool.name, arguments: args },
      signal,
      tell: () => undefined,
    })
    const record = await calls.find(accountId, origin.subjectId, id)
    if (result.kind === 'waiting') {
      // Nobody waits for the decision any more: there is no answer that could go on with it.
      if (record) await approvals.deny({ recordId: record.id })
      return { isError: true, text: 'Nobody allowed this call in time.', structured: null }
    }
    const outcome = record && (await calls.outcomeOf(accountId, record.id))
    return {
      isError: result.isError,
      text: (outcome?.text ?? '').slice(0, mostLetters).toWellFormed(),
      structured:
        outcome?.structured !== undefined && outcome.structured.length <= mostLetters ? outcome.structured : null,
    }
  },
})
