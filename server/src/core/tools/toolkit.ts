/** The tools of one answer: what its model is offered, and the calls that it makes. */
import type { ToolCall } from '@atrium/contract/generation'
import type { CatalogItem } from './catalogue.ts'
import type { ToolsContext } from './context.ts'
import { wordsOf } from './outcomes.ts'
import { recordRefusal } from './refusals.ts'
import { resultText } from './result-text.ts'
import { runCall } from './run-call.ts'
import { type OfferedBefore, openOfferedTools, specsOf } from './offered-tools.ts'
import type { Toolkit, ToolkitRequest, ToolkitResult } from './types.ts'

export const createToolkit = async (
  deps: ToolsContext,
  request: ToolkitRequest,
  tools: readonly CatalogItem[],
  before: Promise<OfferedBefore>,
): Promise<Toolkit> => {
  const offered = await openOfferedTools(deps, request, tools, before)

  return {
    specs: () => specsOf(offered),
    showsDraft: (name) => offered.find(name)?.showsDraft === true,
    async run(call, { signal, tell }) {
      // The entry of the catalogue decides what is called, never a string that only looks like its name.
      const tool = offered.find(call.name)
      if (tool) {
        const isToldByServers = offered.list().some(({ source }) => source !== 'builtin')
        const result = await runCall(deps, { request, tool, tools, isToldByServers, call, signal, tell })
        if (result.kind === 'result' && result.isCut) offered.sawLongResult()
        return result
      }
      const kept = await findKeptResult(deps, request, call)
      if (kept) return kept
      await recordRefusal(deps, request.accountId, null, { reason: 'unknown' })
      const text = `There is no tool called ${call.name.slice(0, 100)}.`
      const result = { status: 'failed' as const, text }
      tell({ type: 'tool-call', call: { ...call, status: 'failed', finishedAt: deps.clock.now(), result } })
      tell({ type: 'tool-result', callId: call.id, result })
      return { kind: 'result', text, images: [], sources: [], isError: true }
    },
    async noteRefusal({ name }, reason) {
      const tool = offered.find(name)
      await recordRefusal(deps, request.accountId, tool && deps.auditIds.ofTool(tool), { reason })
    },
    async describeChanges(calls) {
      const offered = new Set(tools.map(({ id }) => id))
      const lines = await Promise.all(
        deps.builtins().map(async (tool) => {
          const asked = offered.has(`builtin:${tool.name}`)
          return asked ? ((await tool.describeChanges?.(calls, request)) ?? null) : null
        }),
      )
      return lines.flatMap((line) => line ?? [])
    },
  }
}

/** What a call gave whose tool is gone meanwhile; null: it gave nothing, and what it asked ends. */
const findKeptResult = async (
  { approvals, calls, clock }: ToolsContext,
  { accountId, subjectId }: ToolkitRequest,
  { id, name }: ToolCall,
): Promise<ToolkitResult | null> => {
  const record = await calls.find(accountId, subjectId, id)
  if (record?.toolName !== name) return null
  const outcome = await calls.outcomeOf(accountId, record.id)
  if (outcome) {
    const { sources, isError } = outcome
    const fence = `quoted-${record.id}`
    const text = resultText({ ...wordsOf(outcome), tool: record.toolName, fence, readOn: null })
    return { kind: 'result', text, images: [], sources, isError }
  }
  await approvals.deny({ subjectId })
  await calls.end(
    record,
    'failed',
    { text: 'Its tool is gone.', isError: true, sources: [], links: [], media: [] },
    clock.now(),
  )
  return null
}
