/** The turn: what is asked of a model, and the events that come back. */
import { z } from 'zod'
import { Currency, Id, Money } from './common.ts'

/** Sampling and limits; whatever is absent is left to the provider. Names follow the local runtime's. */
export const GenerationOptions = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.number().int().min(0).max(1000).optional(),
  min_p: z.number().min(0).max(1).optional(),
  num_predict: z.number().int().min(1).max(1_000_000).optional(),
  num_ctx: z.number().int().min(128).max(2_097_152).optional(),
  seed: z.number().int().optional(),
  repeat_penalty: z.number().min(0).max(2).optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  stop: z.array(z.string().min(1).max(200)).max(8).optional(),
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).optional(),
})
export type GenerationOptions = z.infer<typeof GenerationOptions>

/** What an answer cost by the prices that hold. */
export const Cost = z.strictObject({ amount: Money, currency: Currency })
export type Cost = z.infer<typeof Cost>

export const Usage = z.strictObject({
  inputTokens: z.number().int().nullable(),
  outputTokens: z.number().int().nullable(),
  /** From the request to the first piece of text. */
  firstTokenMs: z.number().int().nullable(),
  durationMs: z.number().int(),
  /** Output tokens over the time since the first one; null where the provider reports no tokens. */
  tokensPerSecond: z.number().nullable(),
  /** Of the input, what the provider had kept; absent or null where it does not say. */
  cachedTokens: z.number().int().nullable().optional(),
  /** null where nobody knows. Absent in answers from before there were prices. */
  cost: Cost.nullable().optional(),
})
export type Usage = z.infer<typeof Usage>

/** How the context was planned against the model's window. Token figures are estimates. */
export const ContextPlan = z.strictObject({
  windowTokens: z.number().int().nullable(),
  /** Where the window's size comes from. */
  windowSource: z.enum(['provider', 'options', 'default']),
  systemTokens: z.number().int(),
  summaryTokens: z.number().int(),
  attachmentTokens: z.number().int(),
  historyTokens: z.number().int(),
  reserveTokens: z.number().int(),
  includedMessages: z.number().int(),
  /** Earlier messages of this path that are left out (and not covered by a summary). */
  droppedMessages: z.number().int(),
  summarisedMessages: z.number().int(),
  /** Images that this model cannot look at; it is told their names instead. */
  droppedImages: z.number().int(),
})
export type ContextPlan = z.infer<typeof ContextPlan>

export const Source = z.strictObject({
  attachmentId: Id,
  name: z.string(),
  /** A heading of the text that the passage stands under. */
  section: z.string().nullable(),
  passage: z.string(),
  score: z.number(),
})
export type Source = z.infer<typeof Source>

/** Why an answer ended before its end, in a closed list. */
export const Failure = z.strictObject({ code: z.string(), detail: z.string() })
export type Failure = z.infer<typeof Failure>

export const ToolCall = z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() })
export type ToolCall = z.infer<typeof ToolCall>
