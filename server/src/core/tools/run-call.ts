/**
 * One call from its first word to what its model is told: known from an earlier run or new, ruled on, asked about, run,
 * kept. It runs once: what ended is told again, and what nobody knows the outcome of is not repeated.
 */
import type { ToolApproval, ToolCall, ToolDecision } from '@atrium/contract/generation'
import type { Part } from '../../providers/types.ts'
import { readArguments } from './arguments.ts'
import { createAsk, isLeft } from './ask.ts'
import type { CatalogItem } from './catalogue.ts'
import type { ToolsContext } from './context.ts'
import { keepOutcome, toResult, toToolResult } from './outcomes.ts'
import { isRightLost } from './running.ts'
import { ruleOnCall } from './policy.ts'
import type { CallOutcome, CallRecord } from './stores/calls.ts'
import type { ToolkitRequest, ToolkitResult, ToolOutput } from './types.ts'

const reportEveryMs = 250
const minuteMs = 60_000
const mostPerMinute = { account: 120, server: 60 }

export interface CallRun {
  readonly request: ToolkitRequest
  readonly tool: CatalogItem
  readonly tools: readonly CatalogItem[]
  readonly call: ToolCall
  readonly signal: AbortSignal
  readonly tell: (part: Part) => void
}

type Ended = Exclude<CallRecord['state'], 'asking' | 'running'>

export const runCall = async (deps: ToolsContext, run: CallRun): Promise<ToolkitResult> => {
  const { calls, clock, audit } = deps
  const { request, tool, call, signal } = run
  const { accountId } = request
  let told: ToolCall = { ...call, ...about(tool) }
  const change = (changes: Partial<ToolCall>): void => {
    told = { ...told, ...changes }
    run.tell({ type: 'tool-call', call: told })
  }

  const tellEnd = async (record: CallRecord, state: Ended, outcome: CallOutcome): Promise<ToolkitResult> => {
    const result = toToolResult(outcome)
    const { decidedBy, startedAt, endedAt } = record
    change({
      recordId: record.id,
      status: state,
      ...(decidedBy !== null && { decidedBy }),
      ...(startedAt !== null && { startedAt }),
      finishedAt: endedAt ?? clock.now(),
      result,
    })
    run.tell({ type: 'tool-result', callId: call.id, result })
    return await toResult(deps, outcome, { record, tool, request })
  }
  const end = async (record: CallRecord, state: Ended, output: ToolOutput): Promise<ToolkitResult> => {
    const outcome = await keepOutcome(deps, { accountId, output, nextSource: request.nextSource })
    const now = clock.now()
    if (await calls.end(record, state, outcome, now)) {
      const durationMs = record.startedAt === null ? null : now - record.startedAt
      deps.recordCall?.({ source: tool.source, outcome: state, durationMs })
      return await tellEnd(record, state, outcome)
    }
    // Something else ended it, such as a new question in the chat.
    const after = await calls.find(accountId, request.subjectId, call.id)
    return await tellEnd(after ?? record, after && isEnded(after.state) ? after.state : 'denied', outcome)
  }
  const refuse = async (record: CallRecord, reason: 'denied' | 'unattended'): Promise<ToolkitResult> => {
    const actor = { kind: 'user', accountId } as const
    const target = { type: 'tool', id: tool.id }
    await audit.record({
      actor,
      action: 'tool.refuse',
      target,
      result: 'denied',
      details: { callId: record.id, reason },
    })
    return await end(record, 'denied', { text: refusals[reason], isError: true })
  }

  const start = async (): Promise<CallRecord | ToolkitResult> => {
    const known = await calls.find(accountId, request.subjectId, call.id)
    if (known) return known
    const now = clock.now()
    const record = newRecord(deps, run, now)
    const [ofAccount, ofServer] = await Promise.all([
      calls.countSince(accountId, now - minuteMs, null),
      tool.server ? calls.countSince(accountId, now - minuteMs, tool.server.id) : 0,
    ])
    await calls.insert(record.row, record.content)
    const inserted = await calls.find(accountId, request.subjectId, call.id)
    if (!inserted) throw new Error('A call is gone as soon as it was made.')
    const isOver = ofAccount >= mostPerMinute.account || ofServer >= mostPerMinute.server
    return isOver ? await end(inserted, 'failed', { text: tooMany, isError: true }) : inserted
  }

  let record = await start()
  if ('kind' in record) return record
  if (isEnded(record.state)) {
    const outcome = (await calls.outcomeOf(accountId, record.id)) ?? nothing(record)
    return await tellEnd(record, record.state, outcome)
  }
  if (record.state === 'running' && record.sideEffect && !deps.running.has(record.id))
    return await end(record, 'unknown', { text: unknownOutcome, isError: true })

  const current = record
  change({ recordId: current.id, arguments: current.arguments })
  const read = await readArguments(tool, current.arguments)
  if ('fault' in read) return await end(current, 'failed', { text: read.fault, isError: true })
  let { args } = read

  const ask = createAsk(deps, { request, record: current, tool, signal, change })
  if (current.decidedBy === null) {
    const earlier = await deps.approvalStore.ofCall(current.id, 0)
    const ruling = earlier ? null : await ruleOnCall(deps, request, tool, { args, tools: run.tools })
    if (ruling?.kind === 'run') record = { ...current, decidedBy: ruling.by }
    else {
      if (request.unattended) return await refuse(current, 'unattended')
      const decided = await ask.permission(earlier?.approval ?? questionOf(ruling, tool, request))
      if (decided === 'waiting') return { kind: 'waiting' }
      if (decided.decision === 'deny') return await refuse({ ...current, decidedBy: 'person' }, 'denied')
      const edited = decided.answer.arguments
      if (edited !== undefined) {
        const again = await readArguments(tool, edited)
        if ('fault' in again) return await end(current, 'failed', { text: again.fault, isError: true })
        args = again.args
        await calls.changeContent(accountId, current.id, { arguments: edited, serverName: current.serverName })
        change({ arguments: edited })
      }
      record = { ...current, decidedBy: 'person' }
    }
  }
  const ready = record
  const decidedBy = ready.decidedBy ?? 'rules'
  const startedAt = current.startedAt ?? clock.now()
  let reportedAt = Number.NEGATIVE_INFINITY
  const inHand = deps.running.add(current.id, { accountId, toolId: tool.id })
  try {
    const output = await deps.execute({
      tool,
      args,
      signal: AbortSignal.any([signal, ask.left, inHand.signal]),
      async began() {
        await audit.record({
          actor: { kind: 'user', accountId },
          action: 'tool.call',
          target: { type: 'tool', id: tool.id },
          details: { callId: current.id, by: decidedBy },
        })
        const change_ = { owner: deps.processId, decided_by: decidedBy, started_at: startedAt }
        if (!(await calls.begin(current.id, ['asking', 'running'], change_))) throw new Error('The call has ended.')
        change({ status: 'running', decidedBy, startedAt })
      },
      context: {
        accountId,
        chatId: request.chatId,
        callId: current.id,
        question: request.question,
        report({ done, total, message }) {
          const now = performance.now()
          if (now - reportedAt < reportEveryMs) return
          reportedAt = now
          change({ progress: { done, total, ...(message !== undefined && { message: message.slice(0, 200) }) } })
        },
        ask: ask.person,
      },
    })
    return await end({ ...ready, startedAt }, output.isError ? 'failed' : 'succeeded', output)
  } catch (error) {
    if (isLeft(error)) return { kind: 'waiting' }
    if (isRightLost(error)) return await end({ ...ready, startedAt }, 'cancelled', { text: rightLost, isError: true })
    if (signal.aborted && !deps.isLeaving()) await cancel(deps, ready)
    throw error
  } finally {
    inHand.end()
  }
}

/** What was begun and has side effects may have happened. Best effort: the answer has ended, and its reader sees so. */
const cancel = async ({ calls, clock, log }: ToolsContext, record: CallRecord): Promise<void> => {
  const text = record.sideEffect ? `It was stopped. ${unknownOutcome}` : 'It was stopped before it had a result.'
  const outcome = { text, isError: true, sources: [], links: [], media: [] }
  await calls
    .end(record, 'cancelled', outcome, clock.now())
    .catch((error: unknown) => log.error('a stopped call could not be recorded', { error }))
}

const isEnded = (state: CallRecord['state']): state is Ended => state !== 'asking' && state !== 'running'

const unknownOutcome =
  'The server ended while this ran, or it was stopped on its way. Nobody knows whether it did what it does: do not call it again before you have looked, or asked the user.'
const rightLost =
  'The right to use this tool was taken away while it ran, so it was stopped. What it had done by then stays done.'
const tooMany = 'Too many tools were called in this minute. Go on without, or ask the user to wait.'
const refusals = {
  denied: 'The user did not allow this call. Do not try it again in another way; go on without, or ask what they want.',
  unattended: 'This call has to be allowed by a person, and nobody is there to be asked. Go on without it.',
}

const nothing = ({ state }: CallRecord): CallOutcome => ({
  text: state === 'denied' ? refusals.denied : 'What came of this call cannot be read any more.',
  isError: true,
  sources: [],
  links: [],
  media: [],
})

const about = ({ source, server, sideEffect, sendsData }: CatalogItem): Partial<ToolCall> => ({
  source,
  sideEffect,
  ...(server && { serverId: server.id, serverName: server.name }),
  ...(sendsData && { reaches: server?.reaches ?? null }),
})

const newRecord = (deps: ToolsContext, { request, tool, call }: CallRun, now: number) => ({
  row: {
    id: deps.clock.id(),
    account_id: request.accountId,
    chat_id: request.chatId ?? '',
    subject_id: request.subjectId,
    run_id: request.runId,
    call_id: call.id,
    tool_id: tool.id,
    tool_name: tool.name,
    source: tool.source,
    server_id: tool.server?.id ?? null,
    digest: tool.digest,
    state: 'asking' as const,
    side_effect: tool.sideEffect ? (1 as const) : (0 as const),
    reads_private: tool.readsPrivateData ? (1 as const) : (0 as const),
    reads_foreign: tool.readsForeignText ? (1 as const) : (0 as const),
    decided_by: null,
    owner: deps.processId,
    created_at: now,
    started_at: null,
    ended_at: null,
  },
  content: { arguments: call.arguments, serverName: tool.server?.name ?? null },
})

type Question = Omit<ToolApproval, 'id' | 'decision' | 'expiresAt'>

const questionOf = (
  ruling: { readonly reasons: readonly NonNullable<ToolApproval['reasons']>[number][]; readonly lasts: boolean } | null,
  tool: CatalogItem,
  { chatId, temporary }: ToolkitRequest,
): Question => {
  const lasting: ToolDecision[] =
    chatId === null || temporary ? ['always_allow_tool'] : ['allow_chat', 'always_allow_tool']
  return {
    kind: 'call',
    decisions: ['allow_once', ...(ruling?.lasts ? lasting : []), 'deny'],
    reasons: [...(ruling?.reasons ?? [])],
    reaches: tool.sendsData ? (tool.server?.reaches ?? null) : null,
    editable: true,
    ...(tool.server && { serverId: tool.server.id, serverName: tool.server.name }),
  }
}
