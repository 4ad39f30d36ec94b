/** Restore drills: a backup is restored into a scratch database and compared, so that it is known to come back. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'

export const Drill = z.strictObject({
  id: Id,
  status: z.enum(['passed', 'failed']),
  origin: z.enum(['scheduled', 'manual']),
  startedAt: Time,
  finishedAt: Time,
  /** Where the backup lies, and what that was called then. */
  destinationId: Id,
  destinationName: z.string(),
  /** null where it failed before one was found. */
  backupId: Id.nullable(),
  /** How old the backup was: what of the last hours would have been lost. Seconds. */
  rpoSeconds: z.number().int().nullable(),
  tables: z.number().int().nullable(),
  rows: z.number().int().nullable(),
  /** Sealed values that were opened, and entries of the search index that were found by their words. */
  values: z.number().int().nullable(),
  searches: z.number().int().nullable(),
  /** What the backup takes at its destination. */
  storedBytes: z.number().int().nullable(),
  /** How long reading and checking took, and restoring and comparing. */
  verifyMs: z.number().int().nullable(),
  restoreMs: z.number().int().nullable(),
  /** Why it failed. */
  error: z.string().nullable(),
})
export type Drill = z.infer<typeof Drill>

export const Drills = z.strictObject({
  /** The newest fifty, newest first. */
  items: z.array(Drill),
  /** Hours between drills; null: none begins by itself. */
  intervalHours: z.number().int().nullable(),
})
export type Drills = z.infer<typeof Drills>
