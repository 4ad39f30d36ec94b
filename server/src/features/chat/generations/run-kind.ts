/** Runs of chat: what is stored when one ends, what follows then, and its events as pages see them. */
import type { ChatEvent, Message } from '@atrium/contract/chat'
import type { ToolCall, Usage } from '@atrium/contract/generation'
import { applyToolEvent } from '@atrium/contract/tool-events'
import {
  type RunEventEntry,
  type RunOutcome,
  type Run,
  type RunKind,
  type TransactionWrite,
  endCalls,
  markCited,
} from '../../../core/generation/index.ts'
import { inTables } from '../../../platform/db/types.ts'
import type { Frame } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { ChatChange, ChatContext } from '../context.ts'
import { citedDocuments } from '../messages/citations.ts'
import { rowToMessage } from '../messages/serialise.ts'
import { drainQueue } from '../queue/handlers.ts'
import { prepareFinishedNotice } from './finished-notice.ts'
import { makingKind } from './making.ts'
import {
  type MessageContent,
  openContent,
  plainContent,
  sealContent,
  sealReplay,
  textToSelection,
} from '../stores/rows.ts'
import type { ChatTables, MessageRow } from '../tables.ts'
import { continuedKind } from './waiting.ts'
import { nameAfterAnswer } from '../sessions/titles.ts'

const statusOf = {
  done: 'complete',
  cancelled: 'cancelled',
  failed: 'failed',
  interrupted: 'interrupted',
  waiting: 'waiting',
} as const

/** How runs of chat end. */
export const chatRunKind = (context: ChatContext): RunKind => ({
  async finish(run, outcome) {
    const keys = await context.vault.keyring(run.accountId)
    const ok = outcome.state === 'done'
    const waits = outcome.state === 'waiting'
    // Only a continuation has text before it, and something made its job.
    const continues = run.baseLength > 0 || run.kind === makingKind || run.kind === continuedKind
    // What may go on later has to know which tools were chosen.
    const row = continues || !ok ? await context.store.messages.read(run.scopeId, run.subjectId) : null
    const before = row ? openContent(keys, row) : null
    const whole = contentOf(outcome, before)
    const { usage } = whole
    const content =
      run.kind === continuedKind && before && row
        ? { ...whole, usage: usage ? sumUsage(context, row, before.usage, usage) : before.usage }
        : whole
    const sealed = sealContent(keys, run.subjectId, content)
    const cited = citedDocuments(content)
    // A continuation stores no replay data: that of its beginning stays.
    const kept =
      (ok || waits) && !continues && outcome.answer.replay
        ? [sealReplay(keys, run.subjectId, outcome.answer.replay)]
        : []
    const change = await context.prepareChange(run.accountId, run.scopeId)
    const notice = await prepareFinishedNotice(context, run, outcome)
    // A decision may have come after the process had died, or when it had not told of it yet.
    const wait = waits || outcome.state === 'interrupted' ? context.tools?.prepareWait(run.subjectId) : undefined
    const write: TransactionWrite = async (trx) => {
      const db = inTables<ChatTables>(trx)
      await context.store.messages.updateIn(db, run.subjectId, {
        content: sealed,
        status: statusOf[outcome.state],
        finish_reason: outcome.answer.finishReason,
      })
      await context.store.citations.putIn(db, run.subjectId, cited)
      if (kept.length > 0 && (await context.store.messages.readIn(db, run.scopeId, run.subjectId))) {
        await context.store.replays.putIn(db, kept)
      }
      await context.store.sessions.updateIn(db, run.scopeId, {
        running_generation_id: null,
        needs_answer: waits ? 2 : 0,
        failed: outcome.state === 'failed' || outcome.state === 'interrupted' ? 1 : 0,
        // Who stops an answer is looking at it.
        ...(outcome.state === 'cancelled' ? {} : { unread: 1 }),
        // Whether it waits or not when an answer is done was decided by whoever paused or resumed it.
        ...(ok || waits ? {} : { queue_held: 1 }),
        updated_at: outcome.endedAt,
      })
      await notice?.publish(trx)
      await wait?.write(trx)
      await change.write(trx)
    }
    return {
      write,
      async ended() {
        await followUp(context, run, outcome, change)
        await wait?.tell()
        await notice?.tell()
      },
    }
  },

  async waits(run, isWaiting) {
    if (await context.store.sessions.markNeedsAnswer(run.scopeId, run.id, isWaiting))
      context.announceChange(run.accountId, run.scopeId)
  },

  async readStored(run) {
    const row = await context.store.messages.read(run.scopeId, run.subjectId)
    return row ? openContent(await context.vault.keyring(run.accountId), row) : null
  },
})

/** What comes after an answer: news, a name for its chat, and the next prompt of the queue. */
const followUp = async (context: ChatContext, run: Run, outcome: RunOutcome, change: ChatChange): Promise<void> => {
  const reading = context.store.sessions.read(run.scopeId, run.accountId)
  change.tell(reading)
  const chat = await reading
  if (!chat || outcome.state !== 'done') return
  if (run.kind !== makingKind) context.background('a chat could not be named', () => nameAfterAnswer(context, chat))
  context.background('a queued prompt could not be sent', () => drainQueue(context, run.accountId, chat.id, chat))
}

/** The document of an answer; a continuation is put behind what stood there. */
const contentOf = (outcome: RunOutcome, before: MessageContent | null): MessageContent => {
  const { answer } = outcome
  const text = (before?.text ?? '') + answer.text
  return {
    ...(before ?? plainContent('')),
    text,
    reasoning: `${before?.reasoning ?? ''}${answer.reasoning}` || null,
    toolCalls: endLeft(mergeCalls(before?.toolCalls ?? [], answer.toolCalls), outcome),
    toolTexts: { ...before?.toolTexts, ...answer.toolTexts },
    sources: markCited(answer.sources.length > 0 ? answer.sources : (before?.sources ?? []), text),
    retrieval: answer.retrieval ?? before?.retrieval ?? null,
    usage: answer.usage,
    context: answer.plan,
    failure: outcome.failure,
    lostPictures: (before?.lostPictures ?? 0) + answer.lostPictures,
  }
}

/** What both parts of an answer took. */
const sumUsage = (
  context: ChatContext,
  row: Pick<MessageRow, 'selection'>,
  before: Usage | null,
  now: Usage,
): Usage => {
  if (!before) return now
  const plus = (a: number | null | undefined, b: number | null | undefined): number | null =>
    typeof a === 'number' || typeof b === 'number' ? (a ?? 0) + (b ?? 0) : null
  const tokens = {
    inputTokens: plus(before.inputTokens, now.inputTokens),
    outputTokens: plus(before.outputTokens, now.outputTokens),
    cachedTokens: plus(before.cachedTokens, now.cachedTokens),
  }
  const selection = textToSelection(row.selection)
  return {
    ...now,
    ...tokens,
    firstTokenMs: before.firstTokenMs ?? now.firstTokenMs,
    durationMs: before.durationMs + now.durationMs,
    cost: (selection && context.costOf?.(selection, tokens)) ?? null,
  }
}

/**
 * What the beginning left open and the continuation did not come to ends with it: nothing may be called any more. Where it
 * failed before, another one may.
 */
const endLeft = (calls: readonly ToolCall[], { state, endedAt }: RunOutcome): ToolCall[] => [
  ...endCalls(calls, state === 'failed' ? 'interrupted' : state, endedAt),
]

/** Calls that the continuation went on with keep their place. */
const mergeCalls = (before: readonly ToolCall[], calls: readonly ToolCall[]): ToolCall[] =>
  calls.reduce<ToolCall[]>((all, data) => applyToolEvent(all, { type: 'tool-call', data }), [...before])

/**
 * Who follows sees events of chat: the beginning with its messages, the end with the stored answer.
 * `questionId` spares looking the question up where it is known.
 */
export async function* chatFrames(
  context: ChatContext,
  run: Run,
  frames: AsyncIterable<RunEventEntry>,
  questionId?: string | null,
): AsyncGenerator<Frame<ChatEvent>> {
  for await (const { seq, event } of frames) {
    if (event.type === 'start') {
      const known = questionId !== undefined
      const asked = known
        ? questionId
        : ((await context.store.messages.read(run.scopeId, run.subjectId))?.parent_id ?? null)
      const data = {
        generationId: run.id,
        assistantMessageId: run.subjectId,
        userMessageId: asked,
        context: event.data.context,
      }
      yield { seq, event: { type: 'start', data } }
    } else if (event.type === 'end') {
      yield { seq, event: await lastEvent(context, run, event.data.state) }
    } else if (event.type !== 'tool-result-text') yield { seq, event }
  }
}

/** The last frame of a run that has ended, for those who begin to follow at this position. */
export const lastFrame = async (context: ChatContext, run: Run, seq: number): Promise<Frame<ChatEvent>> => ({
  seq,
  event: await lastEvent(context, run, run.state === 'running' ? 'interrupted' : run.state),
})

const lastEvent = async (context: ChatContext, run: Run, state: RunOutcome['state']): Promise<ChatEvent> => {
  const message = await findAnswer(context, run)
  if (!message) return { type: 'error', data: { code: 'message_not_found', detail: 'The message was deleted.' } }
  if (state === 'done' || state === 'waiting') return { type: 'done', data: { message } }
  if (state === 'cancelled') return { type: 'cancelled', data: { message } }
  const { code, detail } = message.failure ?? { code: state, detail: 'The answer ended early.' }
  return { type: 'error', data: { code, detail, message } }
}

const findAnswer = async (context: ChatContext, run: Run): Promise<Message | null> => {
  const [row, chat, keys] = await Promise.all([
    context.store.messages.read(run.scopeId, run.subjectId),
    context.store.sessions.read(run.scopeId, run.accountId),
    context.vault.keyring(run.accountId),
  ])
  return row && chat ? rowToMessage(context, keys, chat, row) : null
}

/** The answer of a run, as it is stored. Refuses with `message_not_found` when it was deleted. */
export const readAnswer = async (context: ChatContext, run: Run): Promise<Message> => {
  const message = await findAnswer(context, run)
  if (!message) throw fail('message_not_found')
  return message
}

/** Waits for the end, wherever the run is being written. */
export const waitUntilEnded = async (context: ChatContext, run: Run): Promise<void> => {
  await context.generations.waitUntilEnded(run.id)
  const now = await context.generations.read(run.id, run.accountId)
  if (now?.state !== 'running') return
  for await (const { event } of context.generations.follow(now, 0, context.closing)) if (event.type === 'end') return
}
