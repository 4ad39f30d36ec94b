/** What all jobs of the instance come to. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'
import { InstanceJob } from './shapes.ts'

const Count = z.number().int().min(0)

const JobKindSummary = z.strictObject({
  kind: z.string(),
  /** Since when no job of the kind is begun. */
  pausedAt: Time.nullable(),
  /** Waiting, due or not. */
  queued: Count,
  due: Count,
  /** Since when the oldest is due. */
  oldestDueAt: Time.nullable(),
  running: Count,
  /** Failed for good, and kept until they are retried or dismissed. */
  failed: Count,
  /** Tries that ended in the last hour. */
  lastHour: z.strictObject({
    succeeded: Count,
    failed: Count,
    /** Failed, and tried again. */
    retried: Count,
    cancelled: Count,
    /** Lost or handed on with their process. */
    interrupted: Count,
    /** How long one took on average; null where none ended. */
    averageMs: z.number().min(0).nullable(),
  }),
})

const WorkingProcess = z.strictObject({
  id: z.string(),
  /** Null where the process is not heard any more. */
  host: z.string().nullable(),
  pid: z.number().int().nullable(),
  isThis: z.boolean(),
  /** What it works on; at most a thousand in all. */
  running: z.array(z.strictObject({ id: Id, kind: z.string(), startedAt: Time.nullable() })),
})

export const JobSummary = z.strictObject({
  generatedAt: Time,
  /** Those of which there is something to tell, by name. */
  kinds: z.array(JobKindSummary),
  /** Jobs that come back by themselves. */
  recurring: z.array(InstanceJob),
  /** How many jobs one process works on at once. */
  placesPerProcess: Count,
  processes: z.array(WorkingProcess),
})
export type JobSummary = z.infer<typeof JobSummary>
export type JobKindSummary = z.infer<typeof JobKindSummary>
