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
    if (message.role === 'user') weight.images += message.images.length * imageTokens
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

const estimateText = (message: TurnMessage): number => {
  const calls = message.role === 'assistant' ? message.toolCalls : []
  return calls.reduce((sum, call) => sum + estimateTokens(call.name + call.arguments), estimateTokens(message.text))
}
