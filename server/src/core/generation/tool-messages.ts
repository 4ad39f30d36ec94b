/** An answer that called tools, told to a model again as it was: the words and calls of each round, then the results. Pure. */
import type { ToolCall } from '@atrium/contract/generation'
import type { Replay, TurnMessage } from '../../providers/types.ts'

export interface AnswerWithCalls {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** What the model was told of the results, by the ids of the calls. */
  readonly toolTexts: Readonly<Record<string, string>>
  readonly replay?: Replay | undefined
}

/** Calls that were made for the model by us, and are told to it again; an agent's own are not. */
export const isOwnCall = (call: ToolCall): boolean => call.round !== undefined

/** The round that the next question to the model begins: one more than the last one that made calls. */
export const roundsOf = (calls: readonly ToolCall[]): number =>
  calls.reduce((most, { round }) => Math.max(most, round ?? 0), 0)

/** Those of the last round nobody told the model about, where the answer had not gone on behind them. */
export const pendingCalls = ({ text, toolCalls, toolTexts }: Omit<AnswerWithCalls, 'replay'>): readonly ToolCall[] => {
  const ours = toolCalls.filter(isOwnCall)
  const last = ours.filter(({ round }) => round === roundsOf(ours))
  return hasGoneOn(text, last) || last.every(({ id }) => id in toolTexts) ? [] : last
}

/** Whether its last words came before its last calls, so that others follow in a paragraph of their own. */
export const endsWithCalls = ({ text, toolCalls }: Pick<AnswerWithCalls, 'text' | 'toolCalls'>): boolean => {
  const ours = toolCalls.filter(isOwnCall)
  return ours.length > 0 && !hasGoneOn(text, ours)
}

const hasGoneOn = (text: string, calls: readonly ToolCall[]): boolean =>
  text.length > Math.max(0, ...calls.map(({ textBefore }) => textBefore ?? 0))

/** `omitPending`: the results of the last round are left out where one of them is missing, as they are about to come. */
export const toTurnMessages = (answer: AnswerWithCalls, { omitPending = false } = {}): TurnMessage[] => {
  const { text, replay, toolTexts } = answer
  const ours = answer.toolCalls.filter(isOwnCall)
  const open = omitPending ? pendingCalls(answer) : []
  const messages: TurnMessage[] = []
  let from = 0
  for (const round of new Set(ours.map((call) => call.round ?? 0))) {
    const calls = ours.filter((call) => call.round === round)
    const to = Math.max(from, ...calls.map(({ textBefore }) => textBefore ?? 0))
    messages.push(assistant(text.slice(from, to), calls, ofRound(replay, round)))
    if (open[0]?.round !== round) {
      for (const call of calls)
        messages.push({
          role: 'tool',
          callId: call.id,
          name: call.name,
          text: toolTexts[call.id] ?? describeMissingResult(call),
        })
    }
    from = to
  }
  const rest = text.slice(from)
  const last = replay && (ours.length > 0 ? ofRound(replay, roundsOf(ours) + 1) : replay)
  if (rest !== '' || ours.length === 0) messages.push(assistant(rest, [], last))
  return messages
}

const assistant = (text: string, calls: readonly ToolCall[], replay: Replay | undefined): TurnMessage => ({
  role: 'assistant',
  text,
  toolCalls: calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
  ...(replay && replay.items.length > 0 ? { replay } : {}),
})

/** What a provider is shown again carries the round that it came with; what carries none came with the only one. */
const ofRound = (replay: Replay | undefined, round: number): Replay | undefined =>
  replay && {
    ...replay,
    items: replay.items.filter((item) => ((item as { round?: unknown } | null)?.round ?? 1) === round),
  }

/** What a model is told of a call that it never heard the result of. */
export const describeMissingResult = ({ status, sideEffect, result }: ToolCall): string => {
  if (result) return result.text
  switch (status) {
    case 'denied':
      return 'The user didn’t allow this call.'
    case 'cancelled':
      return 'The user stopped this call. What it had already done stays done.'
    case 'awaiting_approval':
      return 'This call was stopped before it was made.'
    default:
      return sideEffect === false
        ? 'This call was interrupted, and has no result.'
        : 'The server ended while this ran. Nobody knows whether it did what it does: do not call it again before you have looked, or asked the person.'
  }
}
