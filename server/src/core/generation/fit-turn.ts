/** A turn that is given whole, as clients of `/v1` give it: weighed, and fitted into the window of the local runtime. */
import type { ContextPlan, GenerationOptions } from '@atrium/contract/generation'
import { fail } from '../../platform/http/refusal.ts'
import type { Turn, TurnMessage } from '../../providers/types.ts'
import {
  answerReserve,
  chooseWindow,
  estimateTokens,
  imageTokens,
  messageTokens,
  overflowMessage,
  windowToAskFor,
} from './rules.ts'
import type { UsableModel, ContextWindow } from './types.ts'

/** What a turn weighs, in tokens, roughly: instructions and tools, pictures, and the words of the messages. */
interface TurnEstimate {
  readonly system: number
  readonly images: number
  readonly messages: number
}

const estimateTurn = ({ system, messages, tools, format }: Turn): TurnEstimate => {
  const texts = [system ?? '', ...tools.map((tool) => JSON.stringify(tool)), format ? JSON.stringify(format) : '']
  const weight = { system: texts.reduce((sum, text) => sum + estimateTokens(text), 0), images: 0, messages: 0 }
  for (const message of messages) {
    weight.messages += messageTokens + estimateText(message)
    if (message.role !== 'assistant') weight.images += (message.images?.length ?? 0) * imageTokens
  }
  return weight
}

/** The tokens that a turn has, roughly. */
export const countTurn = (turn: Turn): number => {
  const { system, images, messages } = estimateTurn(turn)
  return system + images + messages
}

/**
 * The options with the size of the window that a plan needs, for models that take it with the request: such runtimes cut
 * the beginning off without a word otherwise.
 */
export const withWindow = (
  model: Pick<UsableModel, 'sizesWindow'>,
  options: GenerationOptions,
  plan: ContextPlan,
  window: ContextWindow,
): GenerationOptions => (model.sizesWindow ? { ...options, num_ctx: windowToAskFor(plan, window) } : options)

/**
 * The turn with the window that it needs. Nothing of it is left out, as it is all that there is: refuses with
 * `context_overflow` what does not fit, where the model's own runtime would not say so.
 */
export const fitTurn = (model: Pick<UsableModel, 'sizesWindow' | 'contextWindow'>, turn: Turn): Turn => {
  if (!model.sizesWindow) return turn
  const window = chooseWindow(model, turn.options)
  const { system, images, messages } = estimateTurn(turn)
  const reserveTokens = answerReserve(window.tokens, turn.options)
  const needed = system + images + messages + reserveTokens
  if (needed > window.tokens) throw fail('context_overflow', overflowMessage(needed, window.tokens))
  const plan: ContextPlan = {
    windowTokens: window.tokens,
    windowSource: window.source,
    reserveTokens,
    systemTokens: system,
    attachmentTokens: images,
    historyTokens: messages,
    summaryTokens: 0,
    includedMessages: turn.messages.length,
    droppedMessages: 0,
    summarisedMessages: 0,
    droppedImages: 0,
  }
  return { ...turn, options: withWindow(model, turn.options, plan, window) }
}

const leftOut = '[This result is left out to make room for newer ones. Call the tool again if it is still needed.]'

/**
 * Fits a turn that has grown since it was planned: results from the message `from` on are left out, the oldest first,
 * until it fits. Where nobody says how large the window is, the provider knows best. `options` as they were asked for.
 */
export const fitRounds =
  (model: Pick<UsableModel, 'sizesWindow' | 'contextWindow'>, options: GenerationOptions) =>
  (turn: Turn, from: number): Turn => {
    const window = chooseWindow(model, options)
    if (window.source === 'default') return turn
    const reserveTokens = answerReserve(window.tokens, options)
    const messages = [...turn.messages]
    let needed = countTurn(turn) + reserveTokens
    for (let at = from; needed > window.tokens && at < messages.length; at += 1) {
      const message = messages[at]
      if (message?.role !== 'tool') continue
      const short = { role: message.role, callId: message.callId, name: message.name, text: leftOut }
      needed -= Math.max(0, countTurn({ ...turn, messages: [message] }) - countTurn({ ...turn, messages: [short] }))
      messages[at] = short
    }
    const fitted = { ...turn, messages }
    if (!model.sizesWindow || window.source === 'options') return fitted
    let size = turn.options.num_ctx ?? window.tokens
    while (size < Math.min(needed, window.tokens)) size *= 2
    return { ...fitted, options: { ...turn.options, num_ctx: Math.min(size, window.tokens) } }
  }

const estimateText = (message: TurnMessage): number => {
  const calls = message.role === 'assistant' ? message.toolCalls : []
  return calls.reduce((sum, call) => sum + estimateTokens(call.name + call.arguments), estimateTokens(message.text))
}
