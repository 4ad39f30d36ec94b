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

/** Told in the place of a result. */
export const leftOut =
  '[This result is left out to make room for newer ones. Call the tool again if it is still needed.]'
const noRoom = '[This result is left out, as the window has no room for it. Calling the tool again won’t help.]'
/** A result that would have to be shorter says too little. */
const leastTokens = 64

/**
 * Fits a turn that has grown since it was planned: the first `history` messages, those before the question, are left out,
 * the oldest exchange first; then results from the message `from` on, the oldest first; and those of the newest round are
 * cut, as nothing is known without them. Where nobody says how large the window is, the provider knows best. `options` as
 * they were asked for.
 */
export const fitRounds =
  (model: Pick<UsableModel, 'sizesWindow' | 'contextWindow'>, options: GenerationOptions, history = 0) =>
  (turn: Turn, from: number): Turn => {
    const window = chooseWindow(model, options)
    if (window.source === 'default' || turn.messages.length === from) return turn
    const reserveTokens = answerReserve(window.tokens, options)
    let needed = countTurn(turn) + reserveTokens
    const isOver = (): boolean => needed > window.tokens
    let cut = 0
    while (isOver() && cut < history) {
      const next = turn.messages.findIndex(({ role }, at) => at > cut && role === 'user')
      const end = next === -1 ? history : Math.min(next, history)
      needed -= countMessages(turn.messages.slice(cut, end))
      cut = end
    }
    const messages = [...turn.messages]
    const newest = Math.max(from, messages.findLastIndex(({ role }) => role === 'assistant') + 1)
    const replace = (at: number, short: TurnMessage): void => {
      needed -= Math.max(0, countMessages(messages.slice(at, at + 1)) - countMessages([short]))
      messages[at] = short
    }
    for (let at = from; isOver() && at < newest; at += 1) {
      const message = messages[at]
      if (message?.role === 'tool') replace(at, withText(message, leftOut))
    }
    const results = messages.flatMap((message, at) =>
      at >= newest && message.role === 'tool' ? [{ message, at }] : [],
    )
    const over = needed - window.tokens
    const total = results.reduce((sum, { message }) => sum + countMessages([message]), 0)
    for (const { message, at } of over > 0 ? results : []) {
      const tokens = estimateTokens(message.text)
      const left = Math.floor(countMessages([message]) * (1 - over / total)) - 2 * messageTokens - noteTokens
      const letters = left < leastTokens ? 0 : Math.floor((message.text.length * Math.min(left, tokens)) / tokens)
      replace(at, withText(message, letters === 0 ? noRoom : shortenText(message.text, letters)))
    }
    const fitted = { ...turn, messages: messages.slice(cut) }
    if (!model.sizesWindow || window.source === 'options') return fitted
    let size = turn.options.num_ctx ?? window.tokens
    while (size < Math.min(needed, window.tokens)) size *= 2
    return { ...fitted, options: { ...turn.options, num_ctx: Math.min(size, window.tokens) } }
  }

/** The result in other words, and without pictures. */
const withText = ({ role, callId, name }: TurnMessage & { role: 'tool' }, text: string): TurnMessage => ({
  role,
  callId,
  name,
  text,
})

const noteTokens = 16
/** So many of its characters, most of them from its beginning. */
const shortenText = (text: string, letters: number): string => {
  const head = text.slice(0, Math.floor((letters * 3) / 4)).toWellFormed()
  const tail = text.slice(text.length - Math.floor(letters / 4)).toWellFormed()
  return `${head}\n\n[… left out, as the window is full …]\n\n${tail}`
}

const countMessages = (messages: readonly TurnMessage[]): number =>
  countTurn({ model: '', system: null, messages, tools: [], options: {} })

const estimateText = (message: TurnMessage): number => {
  const calls = message.role === 'assistant' ? message.toolCalls : []
  return calls.reduce((sum, call) => sum + estimateTokens(call.name + call.arguments), estimateTokens(message.text))
}
