/** Short answers that nobody follows: titles, follow-up questions, summaries. */
import type { GenerationOptions } from '@atrium/contract/generation'
import { ProviderFailure, type Turn } from '../../providers/types.ts'
import type { UsableModel } from './types.ts'

/**
 * Asks a model and gives its text, without its reasoning, at most `maxChars` of it.
 * Throws ProviderFailure; `timeout` when it takes longer than `timeoutMs`.
 */
export const completeText = async (
  model: UsableModel,
  turn: Omit<Turn, 'model' | 'tools'>,
  limits: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly maxChars: number },
): Promise<string> => {
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  const signal = AbortSignal.any([limits.signal, timeout])
  const pieces: string[] = []
  let length = 0
  try {
    for await (const parts of model.ask({ ...turn, model: model.selection.model, tools: [] }, signal)) {
      for (const part of parts) {
        if (part.type !== 'text') continue
        pieces.push(part.delta)
        length += part.delta.length
      }
      if (length > limits.maxChars) break
    }
  } catch (error) {
    if (timeout.aborted) throw new ProviderFailure('timeout', 'The model took too long.')
    throw error
  }
  if (signal.aborted) throw new ProviderFailure('aborted', 'The request was stopped.')
  return withoutThoughts(pieces.join('')).slice(0, limits.maxChars)
}

/** A small question to a model beside an answer: what to search for, which passages are better. Throws ProviderFailure. */
export type AskBriefly = (system: string, text: string, signal: AbortSignal) => Promise<string>

/** `size`: the window the chat has, so that a runtime that sizes it with the request loads nothing anew. */
export const askBriefly =
  (model: UsableModel, size: Pick<GenerationOptions, 'num_ctx'>): AskBriefly =>
  (system, text, signal) =>
    completeText(
      model,
      // Models that think spend tokens before the first word that counts.
      {
        system,
        messages: [{ role: 'user', text, images: [] }],
        options: { ...size, temperature: 0, num_predict: 600, think: false },
      },
      { signal, timeoutMs: 15_000, maxChars: 4000 },
    )

/** Removes thoughts that a model wrote into its text, in one pass. */
export const withoutThoughts = (text: string): string => {
  const shown: string[] = []
  let from = 0
  /** The tag that the thought began with; null outside of one. */
  let inside: string | null = null
  for (const { 0: tag, 1: closes, 2: name = '', index } of text.matchAll(/<(\/?)(think|thinking|reasoning)>/gi)) {
    const end = index + tag.length
    if (inside === null && closes === '') {
      shown.push(text.slice(from, index))
      inside = name.toLowerCase()
    } else if (inside === null) {
      // The beginning of the thought was left out: all before it is one.
      shown.length = 0
      from = end
    } else if (closes !== '' && inside === name.toLowerCase()) {
      inside = null
      from = end
    }
  }
  if (inside === null) shown.push(text.slice(from))
  return shown.join('').trim()
}
