/** The calls of one round, side by side: what is told of them on the way, and what comes of each. */
import type { ToolCall } from '@atrium/contract/generation'
import { applyToolEvent } from '@atrium/contract/tool-events'
import type { Part, TurnImage } from '../../providers/types.ts'
import type { Toolkit, ToolkitResult } from '../tools/index.ts'

/** One round makes so many calls at most. */
export const mostCallsPerRound = 8

/** What the model is told of a call. */
export interface CallOutcome {
  readonly call: ToolCall
  readonly text: string
  readonly images: readonly TurnImage[]
}

export interface InsteadOfRunning {
  readonly text: string
  readonly reason?: 'calls' | 'rounds'
}

export interface RunCallsRequest {
  readonly toolkit: Pick<Toolkit, 'run' | 'noteRefusal'>
  /** What is told instead of running a call, and why it is refused, where it is; null: it runs. */
  readonly refuse: (call: ToolCall, place: number) => InsteadOfRunning | null
  /** Looks at what came of a call before it is told; gives the text that is. */
  readonly judge: (
    call: ToolCall,
    result: Pick<Exclude<ToolkitResult, { kind: 'waiting' }>, 'text' | 'digest'>,
  ) => string
  readonly signal: AbortSignal
}

/** Gives the outcomes in the order of the calls; null where one of them waits for a decision. */
export async function* runCalls(
  calls: readonly ToolCall[],
  request: RunCallsRequest,
): AsyncGenerator<readonly Part[], readonly CallOutcome[] | null> {
  const stop = new AbortController()
  const signal = AbortSignal.any([request.signal, stop.signal])
  const news: Part[] = []
  let wake: () => void = () => undefined
  let isOver = false
  const tell = (part: Part): void => {
    if (isOver) return
    news.push(part)
    wake()
  }
  const end = (): void => {
    isOver = true
    wake()
  }
  const work = Promise.all(calls.map((call, place) => runCall(call, place, { ...request, signal }, tell)))
  work.then(end, end)
  // Whoever stops an answer does not wait for a tool that goes on regardless.
  if (request.signal.aborted) end()
  request.signal.addEventListener('abort', end, { once: true })
  try {
    while (true) {
      if (news.length > 0) yield news.splice(0)
      else if (isOver) break
      else await new Promise<void>((resolve) => (wake = resolve))
    }
    request.signal.throwIfAborted()
    const outcomes = await work
    const told = outcomes.filter((outcome) => outcome !== null)
    return told.length < outcomes.length ? null : told
  } finally {
    request.signal.removeEventListener('abort', end)
    // One call that fails by a mistake of ours leaves none of the others running.
    stop.abort()
    work.catch(() => undefined)
  }
}

const runCall = async (
  call: ToolCall,
  place: number,
  { toolkit, refuse, judge, signal }: RunCallsRequest,
  tell: (part: Part) => void,
): Promise<CallOutcome | null> => {
  let shown: readonly ToolCall[] = [call]
  const passOn = (part: Part): void => {
    if (part.type === 'tool-call') shown = applyToolEvent(shown, { type: 'tool-call', data: part.call })
    else if (part.type === 'tool-result') {
      const { callId, result } = part
      shown = applyToolEvent(shown, { type: 'tool-result', data: { callId, result } })
    }
    tell(part)
  }
  const refusal = refuse(call, place)
  if (refusal?.reason) await toolkit.noteRefusal?.(call, refusal.reason)
  const result: ToolkitResult =
    refusal === null
      ? await toolkit.run(call, { signal, tell: passOn })
      : { kind: 'result', text: refusal.text, images: [], sources: [], isError: true }
  if (result.kind === 'waiting') return null
  const text = judge(call, result)
  const { id, name, arguments: args } = call
  const known = shown.find((one) => one.id === id)
  if (known?.result === undefined)
    tell({ type: 'tool-result', callId: id, result: { status: result.isError ? 'failed' : 'done', text } })
  if (!isOverStatus(known?.status)) {
    const status = result.isError ? 'failed' : 'succeeded'
    tell({ type: 'tool-call', call: { id, name, arguments: args, status } })
  }
  tell({ type: 'tool-result-text', callId: id, text })
  if (result.sources.length > 0) tell({ type: 'sources', items: result.sources })
  return { call, text, images: result.images }
}

export const isOverStatus = (status: ToolCall['status']): boolean =>
  status !== undefined && status !== 'running' && status !== 'awaiting_approval'
