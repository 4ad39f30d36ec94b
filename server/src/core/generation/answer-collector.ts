/** Reads one answer part by part: appends events to the stream, and collects the answer. */
import type { Retrieval, Source, ToolCall, Usage } from '@atrium/contract/generation'
import { applyToolEvent } from '@atrium/contract/tool-events'
import type { StreamWriter } from '../../platform/events/types.ts'
import type { Part } from '../../providers/types.ts'
import { createCallDrafts } from './call-drafts.ts'
import { isAwaited } from './end-calls.ts'
import { collectReplay } from './replay.ts'
import { isOwnCall } from './tool-messages.ts'
import type { Answer, AnswerTokens, CostOf, DrawnPicture, PreparedAnswer, RunEvent } from './types.ts'

export interface AnswerCollector {
  /** What has come so far; may be asked at any time. */
  answer(): Answer
  /** Whether pictures came, which are kept beside the answer. */
  hasPictures(): boolean
  /** Whether it ended because nobody has decided about a call. */
  isWaiting(): boolean
  /** Reads to the end. Resolves early, without waiting for the provider, when the signal aborts. */
  read(prepared: PreparedAnswer, signal: AbortSignal): Promise<void>
}

type ApprovalPart = Extract<Part, { type: 'approval' }>

export interface DecisionNews {
  /** Told of each question for permission of an agent, when it is asked and when it is decided. */
  asked(part: ApprovalPart): void
  /** Told whether calls of ours wait for a decision, with each of them that changes. */
  waits(isWaiting: boolean): void
}

export const createAnswerCollector = (
  writer: StreamWriter<RunEvent>,
  now: () => number,
  { asked, waits }: DecisionNews = { asked: () => undefined, waits: () => undefined },
): AnswerCollector => {
  const text: string[] = []
  const reasoning: string[] = []
  let toolCalls: readonly ToolCall[] = []
  const toolTexts: Record<string, string> = {}
  const keeping = collectReplay()
  const drafts = createCallDrafts(writer, now)
  let sources: readonly Source[] = []
  let retrieval: Retrieval | null = null
  let plan: Answer['plan'] = null
  let finishReason: string | null = null
  let tokens: AnswerTokens | null = null
  let costOf: CostOf = () => null
  let startedAt: number | null = null
  let firstAt: number | null = null
  let usage: Usage | null = null
  let keepPicture: PreparedAnswer['keepPicture']
  let hasPictures = false
  let lostPictures = 0
  let isWaiting = false
  /** What came and is not kept yet. */
  let drawn: DrawnPicture[] = []

  const appendToolEvent = (event: Parameters<typeof applyToolEvent>[1]): void => {
    toolCalls = applyToolEvent(toolCalls, event)
    writer.append(event)
  }

  /**
   * One event for all the thoughts that came at once, and one for the words: they stand in places of their own, so only
   * a call of a tool parts what came before it from what came after.
   */
  const collectParts = (parts: readonly Part[]): void => {
    const deltas = { reasoning: '', text: '' }
    const appendDeltas = (): void => {
      for (const type of ['reasoning', 'text'] as const) {
        if (deltas[type] !== '') writer.append({ type, data: { delta: deltas[type] } })
        deltas[type] = ''
      }
    }
    let isUrgent = false
    for (const part of parts) {
      if (part.type === 'text' || part.type === 'reasoning') {
        if (part.delta === '') continue
        firstAt ??= now()
        ;(part.type === 'text' ? text : reasoning).push(part.delta)
        deltas[part.type] += part.delta
      } else if (part.type === 'tool-draft') {
        firstAt ??= now()
        drafts.add(part)
      } else if (part.type === 'tool-call') {
        // All of it comes now.
        drafts.end()
        appendDeltas()
        firstAt ??= now()
        appendToolEvent({ type: 'tool-call', data: part.call })
        if (part.call.status !== undefined && isOwnCall(part.call)) waits(toolCalls.some(isAwaited))
        // After this process has died it has to be known what somebody is asked about, and what may have been done.
        isUrgent ||= isAwaited(part.call) || (isOwnCall(part.call) && part.call.status === undefined)
      } else if (part.type === 'tool-result') {
        appendDeltas()
        appendToolEvent({ type: 'tool-result', data: { callId: part.callId, result: part.result } })
      } else if (part.type === 'approval') {
        appendDeltas()
        asked(part)
        appendToolEvent({ type: 'approval', data: { callId: part.callId, approval: part.approval } })
      } else if (part.type === 'tool-result-text') {
        const { callId, text: told } = part
        toolTexts[callId] = told
        writer.append({ type: 'tool-result-text', data: { callId, text: told } })
      } else if (part.type === 'waiting') {
        isWaiting = true
      } else if (part.type === 'sources') {
        sources = [...sources, ...part.items]
        writer.append({ type: 'sources', data: { items: [...sources] } })
      } else if (part.type === 'picture') {
        firstAt ??= now()
        drawn.push(part)
      } else if (part.type === 'lost-picture') {
        lostPictures += 1
      } else if (part.type === 'usage') {
        tokens = {
          inputTokens: part.inputTokens ?? tokens?.inputTokens ?? null,
          outputTokens: part.outputTokens ?? tokens?.outputTokens ?? null,
          cachedTokens: part.cachedTokens ?? tokens?.cachedTokens ?? null,
        }
      } else if (part.type === 'replay') keeping.add(part)
      else if (part.type === 'finish') finishReason = part.reason
    }
    appendDeltas()
    if (isUrgent) void writer.flush().catch(() => undefined)
  }

  /** Each is kept before it is told of. Without the drafts of a picture an answer is as good. */
  const keepDrawn = async (): Promise<void> => {
    const pictures = drawn
    drawn = []
    for (const { index, bytes, partial } of pictures) {
      if (!keepPicture) continue
      try {
        const kept = await keepPicture({ index, bytes, partial })
        if (kept === null) {
          if (!partial) lostPictures += 1
          continue
        }
        hasPictures = true
        writer.append({ type: 'attachment', data: { ...kept, partial } })
      } catch (error) {
        if (!partial) throw error
      }
    }
  }

  /** The figures so far; written to the stream once, when the answer is over. */
  const measure = (): void => {
    if (startedAt === null) return
    const end = now()
    const output = tokens?.outputTokens ?? null
    // Calls, and decisions about them, take time in which nothing is written.
    const writing = firstAt === null || toolCalls.some(isOwnCall) ? 0 : end - firstAt
    usage = {
      inputTokens: tokens?.inputTokens ?? null,
      outputTokens: output,
      firstTokenMs: firstAt === null ? null : firstAt - startedAt,
      durationMs: end - startedAt,
      tokensPerSecond: output !== null && writing > 0 ? Math.round((output / writing) * 10_000) / 10 : null,
      cachedTokens: tokens?.cachedTokens ?? null,
      cost: tokens && costOf(tokens),
    }
    writer.append({ type: 'usage', data: usage })
  }

  return {
    answer: () => ({
      text: text.join(''),
      reasoning: reasoning.join(''),
      toolCalls,
      toolTexts,
      sources,
      retrieval,
      usage,
      finishReason,
      plan,
      replay: keeping.replay(),
      lostPictures,
    }),
    hasPictures: () => hasPictures,
    isWaiting: () => isWaiting,
    async read(prepared, signal) {
      plan = prepared.plan
      sources = prepared.sources ?? []
      retrieval = prepared.retrieval ?? null
      costOf = prepared.costOf ?? costOf
      keepPicture = prepared.keepPicture
      if (sources.length > 0) writer.append({ type: 'sources', data: { items: [...sources] } })
      startedAt = now()
      try {
        for await (const parts of untilAborted(prepared.open(signal), signal)) {
          collectParts(parts)
          if (drawn.length > 0) await keepDrawn()
        }
      } finally {
        drafts.end()
        measure()
      }
    },
  }
}

/**
 * The same items, but ended at once by the signal. A provider that does not react to the abort is left to itself:
 * Stop never waits for it.
 */
async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  let wake: (() => void) | null = null
  const onAbort = (): void => wake?.()
  signal.addEventListener('abort', onAbort)
  let ended = false
  try {
    while (!signal.aborted) {
      const step = await new Promise<IteratorResult<T> | null>((resolve, reject) => {
        wake = () => resolve(null)
        iterator.next().then(resolve, reject)
      })
      if (step === null || signal.aborted) return
      if (step.done) {
        ended = true
        return
      }
      yield step.value
    }
  } catch (error) {
    ended = true
    // The failure of an aborted call is the abort itself.
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
    // What the call says after it was given up is of no interest to anybody.
    if (!ended) iterator.return?.().then(undefined, () => undefined)
  }
}
