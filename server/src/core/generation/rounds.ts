/**
 * The turn that acts: a model is asked, what it calls is run, and it is asked again, until it has answered in words. Its
 * parts are those of one answer, so that whoever reads an answer need not know of rounds.
 */
import type { ToolCall } from '@atrium/contract/generation'
import type { Part, Replay, ToolSpec, Turn, TurnMessage } from '../../providers/types.ts'
import { newCallId } from '../../providers/wires/call-id.ts'
import { createCallIds } from '../../providers/unique-call-ids.ts'
import type { Toolkit } from '../tools/index.ts'
import { collectReplay } from './replay.ts'
import { type CallOutcome, type RunCallsRequest, mostCallsPerRound, runCalls } from './run-calls.ts'
import { type AnswerWithCalls, describeMissingResult, endsWithCalls, pendingCalls, roundsOf } from './tool-messages.ts'

export interface RoundsRequest {
  /** Without tools. Of an answer that goes on it ends with what there is of that, as `toTurnMessages` tells it. */
  readonly turn: Turn
  readonly toolkit: Toolkit
  ask(turn: Turn, signal: AbortSignal): AsyncIterable<readonly Part[]>
  readonly maxRounds: number
  /** The model is made to call something first. */
  readonly mustCall?: boolean
  /** What there is of the answer that goes on. */
  readonly before?: Omit<AnswerWithCalls, 'replay'> | null
  /** Makes room for what has come since the turn was planned; `from` is the first message that has. */
  fit?(turn: Turn, from: number): Turn
}

/** Throws ProviderFailure, also in the middle, as asking a model does. Ends early when the signal aborts. */
export async function* answerInRounds(request: RoundsRequest, signal: AbortSignal): AsyncGenerator<readonly Part[]> {
  const { turn, toolkit, maxRounds, before = null, fit = (same: Turn) => same } = request
  const from = turn.messages.length
  const messages: TurnMessage[] = [...turn.messages]
  const guard = createRepeatGuard()
  const running = createRunning(request, before, signal)
  let round = roundsOf(before?.toolCalls ?? [])
  const open = before ? pendingCalls(before) : []
  if (before && open.length > 0) {
    yield [...open.map((call): Part => ({ type: 'tool-call', call: withoutOutcome(call) }))]
    const outcomes = yield* running.call(open, guard, (call) => {
      const text = before.toolTexts[call.id] ?? unlessRepeatable(call)
      return text === null ? null : { text }
    })
    if (outcomes === null) return yield [{ type: 'waiting' }]
    messages.push(...outcomes.map(toResult))
  }
  for (;;) {
    round += 1
    const isLast = round >= maxRounds || guard.isTripped()
    const specs = toolkit.specs()
    const asked: Turn = { ...turn, messages: [...messages], ...offered(specs, isLast, request, round) }
    const said = yield* running.ask(fit(asked, from), round)
    if (said.calls.length === 0) return
    messages.push(said.message)
    const refused: RunCallsRequest['refuse'] = (_, place) =>
      isLast ? tooManyRounds : place >= mostCallsPerRound ? tooManyCalls : null
    const outcomes = yield* running.call(said.calls, guard, refused)
    if (outcomes === null) return yield [{ type: 'waiting' }]
    // Whoever calls without being offered anything has nothing more to say.
    if (isLast) return yield [{ type: 'finish', reason: 'tool_calls' }]
    messages.push(...outcomes.map(toResult))
  }
}

const tooManyCalls = {
  text: `Only ${mostCallsPerRound} calls are made at a time, and this one was not. Call it again if it is needed.`,
  reason: 'calls',
} as const
const tooManyRounds = { text: 'No more calls are made for this answer.', reason: 'rounds' } as const

/** In the last round nothing can be called, so that the answer ends in words. */
const offered = (
  specs: readonly ToolSpec[],
  isLast: boolean,
  { mustCall, before }: RoundsRequest,
  round: number,
): Pick<Turn, 'tools' | 'formerTools' | 'toolChoice'> => {
  if (isLast) return { tools: [], formerTools: specs }
  return { tools: specs, ...(mustCall && !before && round === 1 ? { toolChoice: 'required' as const } : {}) }
}

/** A call that runs again is told of as it came from the model, with what it is known to be. */
const withoutOutcome = ({ result: _, finishedAt: _at, ...call }: ToolCall): ToolCall => call

/**
 * What is told of a call that an earlier process began; null: it is made, or gone on with. Of one that was never told to
 * run, whoever runs it knows how far it came.
 */
const unlessRepeatable = (call: ToolCall): string | null => {
  if (call.status === 'awaiting_approval' || call.status === undefined) return null
  if (call.status === 'unknown' && (call.sideEffect === false || call.startedAt === undefined)) return null
  return describeMissingResult(call)
}

const toResult = ({ call, text, images }: CallOutcome): TurnMessage => ({
  role: 'tool',
  callId: call.id,
  name: call.name,
  text,
  ...(images.length > 0 ? { images } : {}),
})

interface RepeatGuard {
  /** Gives the text that the model is told of what came of a call. */
  judge: RunCallsRequest['judge']
  isTripped(): boolean
}

/** The same call with the same result so often running gets nowhere. */
const mostRepeats = 3

const createRepeatGuard = (): RepeatGuard => {
  let last = ''
  let times = 0
  return {
    judge({ name, arguments: args }, { text, digest = text }) {
      const now = JSON.stringify([name, args, digest])
      times = now === last ? times + 1 : 1
      last = now
      if (times < mostRepeats) return text
      return `${text}\n\n[This call was made ${times} times with the same result. No more calls are made for this answer: answer with what there is.]`
    },
    isTripped: () => times >= mostRepeats,
  }
}

interface Said {
  readonly message: TurnMessage
  readonly calls: readonly ToolCall[]
}

/** What goes on over all rounds of an answer: the ids of its calls, how long it is, and what was used for it. */
const createRunning = (request: RoundsRequest, before: RoundsRequest['before'], signal: AbortSignal) => {
  const ids = createCallIds()
  let length = before?.text.length ?? 0
  /** Whether the words of the next round would run into those of the last. */
  let needsBreak = !!before && length > 0 && !before.text.endsWith('\n') && endsWithCalls(before)
  const used = { input: 0, output: 0, cached: 0 }

  return {
    /** One question to the model. */
    async *ask(turn: Turn, round: number): AsyncGenerator<readonly Part[], Said> {
      const texts: string[] = []
      const calls: ToolCall[] = []
      const replay = collectReplay()
      const heard = { input: null as number | null, output: null as number | null, cached: null as number | null }
      let finish: Part | null = null
      let inserted = 0
      /** Calls that are being written and shown meanwhile, by their place in this round. */
      const drafts = new Map<number, { readonly draft: string; readonly name: string }>()
      const hear = (part: Part): Part[] => {
        switch (part.type) {
          case 'text': {
            if (part.delta === '') return []
            const delta = needsBreak && !part.delta.startsWith('\n') ? `\n\n${part.delta}` : part.delta
            inserted += delta.length - part.delta.length
            needsBreak = false
            texts.push(delta)
            length += delta.length
            return [{ type: 'text', delta }]
          }
          case 'tool-call': {
            // What died with an earlier run may have had the same id.
            const id = before ? newCallId() : ids.call(part.call.id)
            const call = { ...part.call, id, round, textBefore: length }
            calls.push(call)
            return [{ type: 'tool-call', call }]
          }
          case 'replay': {
            const item = inRound(part.item, round, inserted)
            replay.add({ ...part, item })
            return [{ ...part, item }]
          }
          case 'usage':
            heard.input = part.inputTokens ?? heard.input
            heard.output = part.outputTokens ?? heard.output
            heard.cached = part.cachedTokens ?? heard.cached
            return [
              {
                ...part,
                inputTokens: plus(used.input, heard.input),
                outputTokens: plus(used.output, heard.output),
                ...(heard.cached === null ? {} : { cachedTokens: used.cached + heard.cached }),
              },
            ]
          case 'finish':
            finish = part
            return []
          // Their ids are the provider's own, so a call that is shown while it is written has another name until it is there.
          case 'tool-call-start':
            if (request.toolkit.showsDraft?.(part.name))
              drafts.set(part.index, { draft: `${round}.${part.index}`, name: part.name })
            return []
          case 'tool-call-delta': {
            const shown = drafts.get(part.index)
            return shown && part.delta !== '' ? [{ type: 'tool-draft', ...shown, delta: part.delta }] : []
          }
          default:
            return [part]
        }
      }
      for await (const parts of request.ask(turn, signal)) {
        const told = parts.flatMap(hear)
        if (told.length > 0) yield told
      }
      signal.throwIfAborted()
      used.input += heard.input ?? 0
      used.output += heard.output ?? 0
      used.cached += heard.cached ?? 0
      const text = texts.join('')
      needsBreak = length > 0 && !text.endsWith('\n')
      if (calls.length === 0 && finish) yield [finish]
      const kept = replay.replay()
      const again: Replay | undefined = kept ? { ...kept, model: turn.model } : undefined
      const message: TurnMessage = { role: 'assistant', text, toolCalls: calls.map(plain), replay: again }
      return { calls, message }
    },

    /** The calls of one round; null where one of them waits for a decision. */
    call: (
      calls: readonly ToolCall[],
      guard: RepeatGuard,
      refuse: RunCallsRequest['refuse'],
    ): AsyncGenerator<readonly Part[], readonly CallOutcome[] | null> =>
      runCalls(calls, { toolkit: request.toolkit, refuse, judge: guard.judge, signal }),
  }
}

const plus = (sum: number, more: number | null): number | null => (more === null ? null : sum + more)

const plain = ({ id, name, arguments: args }: ToolCall): ToolCall => ({ id, name, arguments: args })

/** What a provider is shown again stands in its round; its place in the text moves with what was put before that. */
const inRound = (item: unknown, round: number, inserted: number): unknown => {
  if (typeof item !== 'object' || item === null) return item
  const { text } = item as { text?: unknown }
  return { ...item, round, ...(typeof text === 'number' && text > 0 ? { text: text + inserted } : {}) }
}
