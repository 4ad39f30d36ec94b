/** What one call asks of its person: whether it may run, and whatever its tool wants to know on the way. */
import type { ToolApproval, ToolCall } from '@atrium/contract/generation'
import type { CatalogItem } from './catalogue.ts'
import type { ToolsContext } from './context.ts'
import type { PersonDecision } from './approvals.ts'
import type { CallRecord } from './stores/call-records.ts'
import type { ToolkitRequest, ToolQuestions } from './types.ts'

/** Nobody answered in time what a running tool asked: its answer ends as waiting. */
class WaitTimeout extends Error {}
export const isWaitTimeout = (error: unknown): boolean => error instanceof WaitTimeout

/** A server asks what it likes, as often as it likes: more than this is declined unseen. */
const mostQuestions = 8
const mostLetters = 32_000

interface AskDeps {
  readonly request: ToolkitRequest
  readonly record: CallRecord
  readonly tool: CatalogItem
  readonly signal: AbortSignal
  readonly change: (changes: Partial<ToolCall>) => void
}

type Question = Omit<ToolApproval, 'id' | 'decision' | 'expiresAt'>

/** Gives `permission`, which asks whether the call may run, and `person`, with which its tool asks; `left`: nobody answered in time. */
export const createAsk = (deps: ToolsContext, { request, record, tool, signal, change }: AskDeps) => {
  const left = new AbortController()
  let asked = 0

  const ask = async (place: number, approval: Question, isBound: boolean): Promise<PersonDecision | 'waiting'> => {
    const kind = approval.kind ?? 'call'
    const decided = await deps.approvals.ask({
      question: {
        accountId: request.accountId,
        chatId: request.chatId,
        subjectId: request.subjectId,
        recordId: record.id,
        place,
        kind,
        argumentsDigest: deps.digestOf(record.arguments),
        approval,
        isTemporary: request.temporary ?? false,
        isBound,
      },
      tool: { name: tool.name, serverName: tool.server?.name ?? null },
      signal,
      async asked(now) {
        await deps.calls.setState(record.id, 'asking', deps.processId)
        change({ status: 'awaiting_approval', approval: now })
      },
    })
    if (decided === 'waiting') return decided
    const known = await deps.approvalStore.ofCall(record.id, place)
    if (known) change({ approval: { ...known.approval, decision: decided.decision } })
    return decided
  }

  /** The same question is answered once, also where its tool is run again from the beginning. */
  const person: ToolQuestions['ask'] = async (question) => {
    asked += 1
    if (request.unattended || asked > mostQuestions || JSON.stringify(question).length > mostLetters) return null
    const decided = await ask(asked, toQuestion(question, tool), tool.sideEffect && !isRepeatable(question))
    if (decided === 'waiting') {
      left.abort(new WaitTimeout())
      throw left.signal.reason
    }
    await deps.calls.setState(record.id, 'running', deps.processId)
    change({ status: 'running' })
    return decided.decision === 'deny' ? null : (decided.answer.answers ?? {})
  }

  return { permission: (approval: Question) => ask(0, approval, false), person, left: left.signal }
}

/** Whether its tool may be run again with the answer: a sign-in is asked for before anything is done. */
const isRepeatable = (question: Parameters<ToolQuestions['ask']>[0]): boolean =>
  question.kind === 'form' || question.kind === 'url' ? question.repeatable === true : true

const toQuestion = (question: Parameters<ToolQuestions['ask']>[0], tool: CatalogItem): Question => {
  const common = {
    decisions: ['allow_once', 'deny'] as const,
    message: question.message,
    ...(tool.server && { serverId: tool.server.id, serverName: tool.server.name }),
  }
  const asked = { ...common, decisions: [...common.decisions], kind: question.kind }
  switch (question.kind) {
    case 'question':
      return { ...asked, questions: [...question.questions] }
    case 'form':
      return { ...asked, schema: question.schema }
    case 'url':
      return { ...asked, url: question.url }
    case 'sign-in':
      return { ...asked, serverId: question.serverId }
  }
}
