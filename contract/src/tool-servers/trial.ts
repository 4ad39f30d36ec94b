/** What a trial of a tool server tells, step by step. */
import { z } from 'zod'

/**
 * `resolve`: its address may be called. `reach`: it answered. `authorise`: it took the account's proof. `revision`: a
 * revision of the protocol was agreed on. `tools`: it listed them. `call`: one that only reads gave a result.
 */
export const ToolServerTestStep = z.strictObject({
  step: z.enum(['resolve', 'reach', 'authorise', 'revision', 'tools', 'call']),
  state: z.enum(['ok', 'failed', 'skipped']),
  detail: z.string(),
  ms: z.number().int(),
})
export type ToolServerTestStep = z.infer<typeof ToolServerTestStep>

/** Steps as they begin and are done, and at the end all of them. */
export const ToolServerTestEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('started'),
    data: z.strictObject({ step: ToolServerTestStep.shape.step }),
  }),
  z.strictObject({ type: z.literal('step'), data: ToolServerTestStep }),
  z.strictObject({ type: z.literal('ended'), data: z.strictObject({ steps: z.array(ToolServerTestStep) }) }),
])
export type ToolServerTestEvent = z.infer<typeof ToolServerTestEvent>
