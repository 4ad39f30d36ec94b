/**
 * One call from its first word to what its model is told: known from an earlier run or new, ruled on, asked about, run,
 * kept. It runs once: what ended is told again, and what nobody knows the outcome of is not repeated.
 */
import type { ToolApproval, ToolCall, ToolDecision } from '@atrium/contract/generation'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { Part } from '../../providers/types.ts'
import { readArguments } from './arguments.ts'
import { createAsk, isWaitTimeout } from './ask.ts'
import type { CatalogItem } from './catalogue.ts'
import type { ToolsContext } from './context.ts'
import { keepOutcome, toResult, toToolResult } from './outcomes.ts'
import { CallTaken, isRightLost } from './running.ts'
import { ruleOnCall } from './policy.ts'
import { recordRefusal } from './refusals.ts'
import { isMeant, strictestOf } from './rules.ts'
import type { CallOutcome, CallRecord } from './stores/call-records.ts'
import { countedOf } from './stores/usage.ts'
import type { ToolkitRequest, ToolkitResult, ToolOutput } from './types.ts'

const reportEveryMs = 250
const minuteMs = 60_000
const mostPerMinute = { account: 120, server: 60 }

export interface CallRun {
  readonly request: ToolkitRequest
  readonly tool: CatalogItem
  readonly tools: readonly CatalogItem[]
  /** Whether what called it is told of tools of servers, in words of these. */
  readonly isToldByServers: boolean
  readonly call: ToolCall
  readonly signal: AbortSignal
  readonly tell: (part: Part) => void
}

type Ended = Exclude<CallRecord['state'], 'asking' | 'running'>

/** Decides about a call, runs it if it may run, and gives what the model gets, or that it waits. Rejects only when aborted. */
export const runCall = async (deps: ToolsContext, run: CallRun): Promise<ToolkitResult> => {
  const { calls, clock, audit } = deps
  const { request, tool, call, signal } = run
  const { accountId } = request
  let told: ToolCall = { ...call, ...about(tool) }
  const change = (changes: Partial<ToolCall>): void => {
    told = { ...told, ...changes }
    run.tell({ type: 'tool-call', call: told })
  }

  const reportEnd = async (record: CallRecord, state: Ended, outcome: CallOutcome): Promise<ToolkitResult> => {
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
    const durationMs = record.startedAt === null ? null : now - record.startedAt
    const hasRun = durationMs !== null && (state === 'succeeded' || state === 'failed')
    const counts = hasRun && (await deps.countsCalls())
    const count = async (trx: AnyTransaction): Promise<void> => {
      if (counts)
        await deps.usage.end(trx, countedOf(record), record.createdAt, { failed: state === 'failed', durationMs })
    }
    if (await calls.end(record, state, outcome, now, count)) {
      deps.recordCall?.({ source: tool.source, outcome: state, durationMs })
      return await reportEnd(record, state, outcome)
    }
    // Something else ended it, such as a new question in the chat.
    const after = await calls.find(accountId, request.subjectId, call.id)
    await deps.files.remove(outcome.media.map(({ fileId }) => fileId))
    const rest = { ...outcome, media: [] }
    return await reportEnd(after ?? record, after && isEnded(after.state) ? after.state : 'denied', rest)
  }
  const noteRefusal = (callId: string, reason: string): Promise<void> =>
    recordRefusal(deps, accountId, deps.auditIds.ofTool(tool), { callId, reason })
  const refuse = async (record: CallRecord, reason: keyof typeof refusals): Promise<ToolkitResult> => {
    await deps.approvals.deny({ recordId: record.id })
    await noteRefusal(record.id, reason)
    return await end(record, 'denied', { text: refusals[reason], isError: true })
  }
  /** It could not be made as it was worded, or so often. */
  const reject = async (record: CallRecord, reason: 'arguments' | 'rate', text: string): Promise<ToolkitResult> => {
    await noteRefusal(record.id, reason)
    return await end(record, 'failed', { text, isError: true })
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
    const counts = await deps.countsCalls()
    await calls.insert(record.row, record.content, async (trx) => {
      if (counts) await deps.usage.begin(trx, record.row, now)
    })
    const inserted = await calls.find(accountId, request.subjectId, call.id)
    if (!inserted) throw new Error('A call is gone as soon as it was made.')
    const isOver = ofAccount >= mostPerMinute.account || ofServer >= mostPerMinute.server
    return isOver ? await reject(inserted, 'rate', tooMany) : inserted
  }

  let record = await start()
  if ('kind' in record) return record
  if (isEnded(record.state)) {
    const outcome = (await calls.outcomeOf(accountId, record.id)) ?? nothing(record)
    return await reportEnd(record, record.state, outcome)
  }
  // What was asked on the way by one that began is answered to nobody any more.
  const isLost =
    record.state === 'running' ||
    (record.startedAt !== null && (await deps.approvalStore.hasBound(accountId, record.id)))
  if (record.sideEffect && isLost) return await end(record, 'unknown', { text: unknownOutcome, isError: true })

  const current = record
  // What was decided holds for the definition that was shown, and never for another tool that has its name by now.
  if (current.toolId !== tool.id || current.digest !== tool.digest) return await refuse(current, 'changed')
  change({ recordId: current.id, arguments: current.arguments })
  const read = await readArguments(tool, current.arguments)
  if ('fault' in read) return await reject(current, 'arguments', read.fault)
  let { args } = read
  // Who decides may have changed since the answer began.
  const asksHere = request.askFirst?.some((id) => isMeant(tool, id)) ?? false
  const mode = strictestOf(await deps.catalogue.modeNow(accountId, tool), asksHere ? 'ask' : null)
  if (mode === 'never') return await refuse(current, 'withdrawn')

  const ask = createAsk(deps, { request, record: current, tool, signal, change })
  if (current.decidedBy !== 'person') {
    const earlier = await deps.approvalStore.ofCall(current.id, 0)
    const ruling = earlier ? null : await ruleOnCall(deps, request, { ...tool, mode }, { ...run, args })
    if (ruling?.kind === 'run') record = { ...current, decidedBy: ruling.by }
    else {
      if (request.unattended) return await refuse(current, 'unattended')
      const decided = await ask.permission(earlier?.approval ?? questionOf(ruling, tool, request, args))
      if (decided === 'waiting') return { kind: 'waiting' }
      if (decided.decision === 'deny') return await refuse({ ...current, decidedBy: 'person' }, 'denied')
      const edited = decided.answer.arguments
      if (edited !== undefined) {
        const again = await readArguments(tool, edited)
        if ('fault' in again) return await reject(current, 'arguments', again.fault)
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
        const change_ = { owner: deps.processId, decided_by: decidedBy, started_at: startedAt }
        if (!(await calls.begin(current, change_))) throw new CallTaken()
        await audit.record({
          actor: { kind: 'user', accountId },
          action: 'tool.call',
          target: { type: 'tool', id: deps.auditIds.ofTool(tool) },
          details: { callId: current.id, by: decidedBy },
        })
        change({ status: 'running', decidedBy, startedAt })
      },
      context: {
        accountId,
        chatId: request.chatId,
        callId: current.id,
        question: request.question,
        vision: request.vision,
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
    if (isWaitTimeout(error)) return { kind: 'waiting' }
    if (error instanceof CallTaken) {
      const after = await calls.find(accountId, request.subjectId, call.id)
      return after && isEnded(after.state)
        ? await reportEnd(after, after.state, (await calls.outcomeOf(accountId, after.id)) ?? nothing(after))
        : { kind: 'waiting' }
    }
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
  changed: 'This tool has changed since it was called, so it was not run. Call it again if it is still needed.',
  withdrawn: 'This tool may not be used any more. Go on without it.',
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
  ...(sendsData && server && { reaches: server.reaches }),
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
  args: Record<string, unknown>,
): Question => {
  const reaches = reachesOf(tool, args)
  const lasting: ToolDecision[] =
    chatId === null || temporary ? ['always_allow_tool'] : ['allow_chat', 'always_allow_tool']
  return {
    kind: 'call',
    decisions: ['allow_once', ...(ruling?.lasts ? lasting : []), 'deny'],
    reasons: [...(ruling?.reasons ?? [])],
    ...(reaches !== undefined && { reaches }),
    editable: true,
    ...(tool.server && { serverId: tool.server.id, serverName: tool.server.name }),
  }
}

/** As host and port; null: it stays on this server; undefined: it leaves, and nobody says for where. */
const reachesOf = ({ sendsData, server, addressesOf }: CatalogItem, args: Record<string, unknown>) => {
  if (!sendsData) return null
  if (server) return server.reaches
  const hosts = new Set(addressesOf?.(args).flatMap((address) => URL.parse(address)?.host ?? []))
  return hosts.size > 0 ? [...hosts].join(', ') : undefined
}
