/** Jobs, their tries and their events. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'

export const Job = z.strictObject({
  id: Id,
  kind: z.string(),
  state: z.enum(['queued', 'running', 'succeeded', 'cancelled', 'failed']),
  attempts: z.number().int(),
  maxAttempts: z.number().int(),
  progress: z
    .strictObject({ current: z.number(), total: z.number().nullable(), message: z.string().nullable() })
    .nullable(),
  /** A code and a sentence that hold no content. */
  failure: z.strictObject({ code: z.string(), detail: z.string() }).nullable(),
  /** What it is about, for people: the model's name, say. */
  subject: z.string().nullable(),
  cancelRequested: z.boolean(),
  createdAt: Time,
  startedAt: Time.nullable(),
  finishedAt: Time.nullable(),
})
export type Job = z.infer<typeof Job>

/** A job as administrators see those of everybody: without what it is about. */
export const InstanceJob = Job.extend({
  subject: z.null(),
  progress: z.null(),
  /** Whose it is; null for the instance's own. Without a name where the account is on its way out. */
  account: z.strictObject({ id: Id, name: z.string().nullable() }).nullable(),
  /** The process that works on it; only its id where it is not there any more. */
  process: z.strictObject({ id: z.string(), host: z.string().nullable(), pid: z.number().int().nullable() }).nullable(),
  /** When a job that waits is due. */
  nextRunAt: Time.nullable(),
  /** Milliseconds between two runs of a job that comes back by itself. */
  everyMs: z.number().int().nullable(),
})
export type InstanceJob = z.infer<typeof InstanceJob>

/** One try of a job. */
export const JobAttempt = z.strictObject({
  /** From 1; it begins anew when a failed job is retried. */
  number: z.number().int(),
  process: z.strictObject({ id: z.string(), host: z.string().nullable(), pid: z.number().int().nullable() }),
  startedAt: Time,
  finishedAt: Time.nullable(),
  /** `released`: handed on by a process that stopped; `lost`: its process was gone. */
  outcome: z.enum(['running', 'succeeded', 'failed', 'retried', 'cancelled', 'released', 'lost']),
  /** Why it did not succeed: a code of the closed list. */
  code: z.string().nullable(),
})
export type JobAttempt = z.infer<typeof JobAttempt>

export const JobEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('progress'), data: Job }),
  z.strictObject({ type: z.literal('ended'), data: Job }),
])
export type JobEvent = z.infer<typeof JobEvent>
