/** Backups as administrators see them, how often they are made, and the recovery key. */
import { z } from 'zod'
import { Id, ReadSource, Time } from '../common.ts'

export const backupSchedules = ['off', 'quarter-hourly', 'hourly', 'daily'] as const

export const BackupSettings = z.strictObject({
  /** `daily`: at night, by the clock of UTC. */
  schedule: z.enum(backupSchedules),
  source: ReadSource,
})
export type BackupSettings = z.infer<typeof BackupSettings>

const Backup = z.strictObject({
  id: Id,
  destinationId: Id,
  createdAt: Time,
  /** Of the server that made it. */
  appVersion: z.string(),
  rows: z.number().int(),
  files: z.number().int(),
  /** What all of it takes there, and how much of that was sent for it. */
  storedBytes: z.number().int(),
  sentBytes: z.number().int(),
})
export type Backup = z.infer<typeof Backup>

export const Backups = z.strictObject({
  items: z.array(Backup),
  /** Backups and destinations that cannot be read, and why. */
  problems: z.array(z.strictObject({ destinationId: Id, id: Id.nullable(), detail: z.string() })),
})
export type Backups = z.infer<typeof Backups>

const BackupFailure = z.strictObject({ at: Time, detail: z.string() })

export const BackupsState = z.strictObject({
  /** What came of the backups at each. */
  destinations: z.array(
    z.strictObject({
      destinationId: Id,
      /** When the last one was made there; null: never. */
      lastMadeAt: Time.nullable(),
      /** Why the last one was not made there; null while all is well. */
      lastFailure: BackupFailure.nullable(),
    }),
  ),
  /** When the last backup was made at any of them; null: never. */
  lastMadeAt: Time.nullable(),
  /** Where the last one was not made, and why; null while all is well. */
  lastFailure: BackupFailure.nullable(),
  /** When the next one is due; null where none is to be made. */
  nextAt: Time.nullable(),
})
export type BackupsState = z.infer<typeof BackupsState>

export const RecoveryKey = z.strictObject({
  /** `unseen`: made with a backup that nobody looked at; nobody has it. */
  state: z.enum(['none', 'unseen', 'unconfirmed', 'confirmed']),
  madeAt: Time.nullable(),
  confirmedAt: Time.nullable(),
  /** Which group of the kit is asked for, from 1; null where none is. */
  askGroup: z.number().int().nullable(),
  /** Names of destinations that do not have this key yet: the one before it opens what lies there. */
  missingAt: z.array(z.string()),
  /** Whether the encryption key of the instance travels in the backups. */
  escrow: z.boolean(),
  /** Who else can open them: recipients of age. */
  recipients: z.array(z.string()),
})
export type RecoveryKey = z.infer<typeof RecoveryKey>
