/** Which backups stay. */
import { z } from 'zod'
import { Id, ReadSource, Time } from '../common.ts'

const amount = z.number().int().min(0).max(1000)

/** The newest backup of each of so many hours, days, weeks and months that have one stays. */
export const BackupRetention = z.strictObject({ hourly: amount, daily: amount, weekly: amount, monthly: amount })
export type BackupRetention = z.infer<typeof BackupRetention>

export const retentionPeriods = ['hourly', 'daily', 'weekly', 'monthly'] as const

export const BackupRetentionSettings = z.strictObject({
  policy: BackupRetention,
  sources: z.strictObject({ hourly: ReadSource, daily: ReadSource, weekly: ReadSource, monthly: ReadSource }),
})

/** What would go by a policy that is not saved yet, newest first. */
export const BackupRetentionPreview = z.strictObject({
  items: z.array(z.strictObject({ destinationId: Id, id: Id, createdAt: Time })),
  /** Destinations that cannot be read just now, and why: what would go there is not among the items. */
  problems: z.array(z.strictObject({ destinationId: Id, detail: z.string() })),
})
export type BackupRetentionPreview = z.infer<typeof BackupRetentionPreview>
