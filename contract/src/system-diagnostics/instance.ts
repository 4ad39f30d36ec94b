/** What the instance is doing now, and did in the last hour. */
import { z } from 'zod'
import { Time } from '../common.ts'
import { RunningModel } from '../local-runtime/index.ts'

const Count = z.number().int().min(0)
const Size = z.number().min(0)

/** What one process kept busy. */
const Load = z.strictObject({
  /** How many cores it kept busy, over some seconds. */
  cpuCores: z.number().min(0),
  /** How late its event loop was in those seconds: all but the worst hundredth of the time, and at worst. */
  loopDelayMs: z.number().min(0),
  loopDelayMaxMs: z.number().min(0),
  rssBytes: Size,
  heapUsedBytes: Size,
  /** Event streams and sockets that are open. */
  streams: Count,
  /** Answers that are being written. */
  answers: Count,
})

export const InstanceProcess = Load.extend({
  id: z.string(),
  host: z.string(),
  pid: z.number().int(),
  version: z.string(),
  startedAt: Time,
  /** `leaving`: it takes no more work, and ends once what runs has ended. */
  phase: z.enum(['starting', 'ready', 'leaving']),
  /** It is the one that answers. */
  isThis: z.boolean(),
})
export type InstanceProcess = z.infer<typeof InstanceProcess>

export const InstanceDatabase = z.strictObject({
  dialect: z.enum(['sqlite', 'postgres']),
  version: z.string(),
  sizeBytes: Size,
  /** Of what is written ahead; null where it may not be asked. */
  logBytes: Size.nullable(),
  /** The largest ten, with their indexes; null where measuring them would take too long. */
  tables: z.array(z.strictObject({ name: z.string(), bytes: Size })).nullable(),
  /** Of the process that answers; null on SQLite. */
  connections: z.strictObject({ used: Count, waiting: Count, limit: Count }).nullable(),
})

/** Limits of the process that answers, and of what it runs in. */
export const limitNames = [
  'memory',
  'heap',
  'cpu',
  'pids',
  'open-files',
  'connections',
  'server-connections',
  'jobs',
] as const

export const InstanceReport = z.strictObject({
  generatedAt: Time,
  processes: z.array(InstanceProcess),
  /** This and the next three are null where they cannot be read. */
  database: InstanceDatabase.nullable(),
  jobs: z
    .array(
      z.strictObject({
        kind: z.string(),
        /** Waiting and due. */
        due: Count,
        /** Waiting, due or not. */
        queued: Count,
        running: Count,
        failed: Count,
        /** Since when the oldest is due. */
        oldestDueAt: Time.nullable(),
        /** Since when the kind is paused. */
        pausedAt: Time.nullable(),
      }),
    )
    .nullable(),
  /** What the search does not find yet. */
  search: z
    .strictObject({
      chats: Count,
      messages: Count,
      /** Waiting to be read, or being read. */
      documents: Count,
      /** That could not be read. */
      failedDocuments: Count,
      /** Found by their words alone so far. */
      documentsWithoutVectors: Count,
    })
    .nullable(),
  /** What the local runtime holds in memory; null where there is none, or it does not answer. */
  models: z.array(RunningModel).nullable(),
  /** At the public address; null where that is not https, or cannot be reached from here. */
  certificate: z.strictObject({ host: z.string(), expiresAt: Time, isTrusted: z.boolean() }).nullable(),
  /** Whether bubblewrap works in this process, as it was at its start; `reason`: why not. */
  bubblewrap: z.strictObject({
    works: z.boolean(),
    version: z.string().nullable(),
    reason: z.enum(['not_installed', 'not_linux', 'not_permitted', 'failed']).nullable(),
  }),
  limits: z.array(
    z.strictObject({
      name: z.enum(limitNames),
      unit: z.enum(['bytes', 'count', 'cores']),
      /** null where it cannot be read. */
      value: z.number().min(0).nullable(),
      /** null where there is none, or it cannot be read. */
      limit: z.number().min(0).nullable(),
    }),
  ),
})
export type InstanceReport = z.infer<typeof InstanceReport>

/** Kept in memory by the process that answers: it knows nothing of the time before its own start. */
export const InstanceHistory = z.strictObject({
  /** Between two samples. */
  everyMs: z.number().int(),
  items: z.array(
    z.strictObject({
      id: z.string(),
      host: z.string(),
      pid: z.number().int(),
      samples: z.array(Load.extend({ at: Time })).max(240),
    }),
  ),
})
export type InstanceHistory = z.infer<typeof InstanceHistory>
