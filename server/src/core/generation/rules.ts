/** How a conversation is fitted into the window of a model. Pure, apart from pulling history as far as it fits. */
import type { ContextPlan, Failure, GenerationOptions } from '@atrium/contract/generation'
import { applyToolEvent } from '@atrium/contract/tool-events'
import { toIsoTime } from '../../platform/iso-time.ts'
import type { ProviderFailure, ProviderFailureKind } from '../../providers/types.ts'
import type { Answer, RunEvent, ContextWindow } from './types.ts'

export const defaultWindowTokens = 8192
export const imageTokens = 768
export const messageTokens = 4
/** More than so many answers of one account at once would take from the others. */
export const maxRunningPerAccount = 16

/** Estimates the tokens of a text: a quarter per character, one per character of Chinese, Japanese or Korean. */
export const estimateTokens = (text: string): number => {
  let wide = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code >= 0x1100 && isWide(code)) wide += 1
  }
  return wide + Math.ceil((text.length - wide) / 4)
}

const isWide = (code: number): boolean =>
  (code >= 0x2e80 && code <= 0x9fff) ||
  (code >= 0xac00 && code <= 0xd7af) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xff00 && code <= 0xffef) ||
  (code >= 0x1100 && code <= 0x11ff)

/**
 * The window to plan against. A requested `num_ctx` counts where the provider takes it; where it does, the size that
 * is planned is also the size to ask for, because such runtimes cut silently otherwise.
 */
export const chooseWindow = (
  model: { readonly contextWindow: number | null; readonly sizesWindow: boolean },
  options: GenerationOptions,
): ContextWindow => {
  const known = model.contextWindow
  if (model.sizesWindow && options.num_ctx) {
    return { tokens: known ? Math.min(options.num_ctx, known) : options.num_ctx, source: 'options' }
  }
  if (known) return { tokens: known, source: 'provider' }
  return { tokens: defaultWindowTokens, source: 'default' }
}

/** What is kept free for the answer. */
export const answerReserve = (windowTokens: number, options: GenerationOptions): number => {
  const wanted = options.num_predict ?? Math.min(4096, Math.floor(windowTokens / 4))
  return Math.min(wanted, Math.floor(windowTokens / 2))
}

/**
 * The window to ask a runtime for that takes its size with the request: the smallest step that holds the plan, so that
 * short chats do not cost the memory of long ones, in few steps, because a changed size loads the model anew.
 */
export const windowToAskFor = (plan: ContextPlan, window: ContextWindow): number => {
  if (window.source === 'options') return window.tokens
  const sent = plan.attachmentTokens + (plan.excerptTokens ?? 0) + plan.historyTokens
  const used = plan.systemTokens + plan.summaryTokens + sent + plan.reserveTokens
  let size = defaultWindowTokens
  while (size < used) size *= 2
  return Math.min(size, window.tokens)
}

/**
 * The size to ask for in a short side request, about a chat whose last plan was this one: the same as then, because
 * another size would load the model anew.
 */
export const sameWindow = (
  model: { readonly contextWindow: number | null; readonly sizesWindow: boolean },
  options: GenerationOptions,
  lastPlan: ContextPlan | null,
): Pick<GenerationOptions, 'num_ctx'> => {
  if (!model.sizesWindow) return {}
  const window = chooseWindow(model, options)
  return { num_ctx: lastPlan ? windowToAskFor(lastPlan, window) : Math.min(defaultWindowTokens, window.tokens) }
}

/** A message as planning weighs it. Token figures are estimates without the flat cost of a message. */
export interface TokenEstimate {
  readonly role: 'user' | 'assistant'
  readonly textTokens: number
  readonly attachmentTokens: number
  /** Of what was found for it and is sent with it. */
  readonly excerptTokens?: number
  /** Images of it that the model cannot look at; they cost nothing. */
  readonly droppedImages: number
  /** Images that it cannot look at either, but whose printed words it gets. */
  readonly readImages?: number
}

export interface ContextRequest<M extends TokenEstimate> {
  readonly window: ContextWindow
  readonly reserveTokens: number
  readonly systemTokens: number
  /** The summary in force, and how many messages it stands for. */
  readonly summary: { readonly tokens: number; readonly messages: number } | null
  /** What must be sent: the question, or the answer to go on with and its question. Newest last. */
  readonly needed: readonly M[]
  /** Messages before `needed` on this path, those under the summary not counted. */
  readonly earlier: number
  /** Those messages, newest first; pulled only as far as they fit. */
  readonly history: AsyncIterable<M>
  /** The same message with at most so many tokens, as far as something of it may be left out; null: it needs more. */
  readonly shorten?: (message: M, tokens: number) => M | null
}

export type ContextResult<M> =
  | { readonly fits: true; readonly plan: ContextPlan; readonly messages: readonly M[] }
  | { readonly fits: false; readonly neededTokens: number; readonly plan: ContextPlan }

/** The tokens of a message with all that comes with it. */
export const countMessageTokens = (message: TokenEstimate): number =>
  message.textTokens + message.attachmentTokens + (message.excerptTokens ?? 0) + messageTokens

/** Messages that must be sent, in so many tokens if something may be left out of them. */
const shortenNeeded = <M extends TokenEstimate>(
  { needed, shorten }: Pick<ContextRequest<M>, 'needed' | 'shorten'>,
  tokens: number,
): readonly M[] => {
  let over = needed.reduce((sum, message) => sum + countMessageTokens(message), 0) - tokens
  return needed.map((message) => {
    const shorter = over > 0 ? shorten?.(message, Math.max(0, countMessageTokens(message) - over)) : null
    if (!shorter) return message
    over -= countMessageTokens(message) - countMessageTokens(shorter)
    return shorter
  })
}

/**
 * Plans the context: system, summary and question always, then history newest first while it fits; where a message does not,
 * as much of it as may be told alone.
 */
export const planContext = async <M extends TokenEstimate>(request: ContextRequest<M>): Promise<ContextResult<M>> => {
  const fixed = request.systemTokens + (request.summary?.tokens ?? 0) + request.reserveTokens
  const needed = shortenNeeded(request, request.window.tokens - fixed)
  const sums = { history: 0, attachments: 0, excerpts: 0, droppedImages: 0, readImages: 0 }
  const add = (message: TokenEstimate, sign = 1): void => {
    sums.history += sign * (message.textTokens + messageTokens)
    sums.attachments += sign * message.attachmentTokens
    sums.excerpts += sign * (message.excerptTokens ?? 0)
    sums.droppedImages += sign * message.droppedImages
    sums.readImages += sign * (message.readImages ?? 0)
  }
  for (const message of needed) add(message)
  const used = (): number => fixed + sums.history + sums.attachments + sums.excerpts
  const neededTokens = used()
  const included: M[] = []
  if (neededTokens <= request.window.tokens) {
    for await (const whole of request.history) {
      const room = request.window.tokens - used()
      const message = countMessageTokens(whole) <= room ? whole : request.shorten?.(whole, room)
      if (!message) break
      add(message)
      included.push(message)
    }
    // A conversation that begins with an answer confuses models: start at a question where something was cut.
    while (included.length > 0 && included.length < request.earlier && included.at(-1)?.role === 'assistant') {
      add(included.pop() as M, -1)
    }
  }
  const plan: ContextPlan = {
    windowTokens: request.window.tokens,
    windowSource: request.window.source,
    systemTokens: request.systemTokens,
    summaryTokens: request.summary?.tokens ?? 0,
    attachmentTokens: sums.attachments,
    ...(sums.excerpts > 0 ? { excerptTokens: sums.excerpts } : {}),
    historyTokens: sums.history,
    reserveTokens: request.reserveTokens,
    includedMessages: included.length + needed.length,
    droppedMessages: Math.max(0, request.earlier - included.length),
    summarisedMessages: request.summary?.messages ?? 0,
    droppedImages: sums.droppedImages,
    ...(sums.readImages > 0 ? { readImages: sums.readImages } : {}),
  }
  if (neededTokens > request.window.tokens) return { fits: false, neededTokens, plan }
  return { fits: true, plan, messages: [...included.reverse(), ...needed] }
}

/** The sentence of an overflow: what was asked for, what there is, and the ways out. */
export const overflowMessage = (neededTokens: number, windowTokens: number): string =>
  `This needs about ${neededTokens} tokens including the answer, but the model’s context window holds ${windowTokens}. ` +
  'Shorten it, remove attachments, or choose a model with a larger context window.'

const failureCodes: Record<ProviderFailureKind, string> = {
  no_key: 'api_key_needed',
  over_budget: 'over_budget',
  redirected: 'provider_failed',
  unreachable: 'provider_unreachable',
  timeout: 'provider_unreachable',
  rejected: 'provider_rejected',
  overloaded: 'provider_rejected',
  context_overflow: 'context_overflow',
  malformed: 'provider_failed',
  too_large: 'provider_failed',
  moderated: 'provider_rejected',
  aborted: 'provider_failed',
}

/** A provider's failure in our closed codes; with `now`, in milliseconds, also when it takes another try. */
export const failureOf = (failure: ProviderFailure, now?: number): Failure => ({
  // Statuses from 500 on are the provider's own fault, not a refusal.
  code: failure.kind === 'rejected' && (failure.status ?? 0) >= 500 ? 'provider_failed' : failureCodes[failure.kind],
  detail: failure.parameter === null ? failure.message : `${failure.message} The setting is ${failure.parameter}.`,
  ...(now !== undefined && failure.waitSeconds !== null && { retryAt: toIsoTime(now + failure.waitSeconds * 1000) }),
})

/** Puts an answer together again from the events of its stream. */
export const answerFromEvents = (events: readonly RunEvent[]): Answer => {
  const text: string[] = []
  const reasoning: string[] = []
  let toolCalls: Answer['toolCalls'] = []
  const toolTexts: Record<string, string> = {}
  let sources: Answer['sources'] = []
  let retrieval: Answer['retrieval'] = null
  let usage: Answer['usage'] = null
  let plan: Answer['plan'] = null
  for (const event of events) {
    if (event.type === 'text') text.push(event.data.delta)
    else if (event.type === 'reasoning') reasoning.push(event.data.delta)
    else if (event.type === 'tool-call' || event.type === 'tool-result' || event.type === 'approval') {
      toolCalls = applyToolEvent(toolCalls, event)
    } else if (event.type === 'tool-result-text') {
      toolTexts[event.data.callId] = event.data.text
    } else if (event.type === 'sources') sources = event.data.items
    else if (event.type === 'search') {
      retrieval = event.data.retrieval ?? retrieval
      plan = event.data.context ?? plan
    } else if (event.type === 'usage') usage = event.data
    else if (event.type === 'start') plan = event.data.context
  }
  return {
    text: text.join(''),
    reasoning: reasoning.join(''),
    toolCalls,
    toolTexts,
    sources,
    retrieval,
    usage,
    finishReason: null,
    plan,
    // It is in no stream: whoever follows has no use for it.
    replay: null,
    lostPictures: 0,
  }
}
