/** Backups of the instance, for its administrators: where they are kept, when they are made, and the key that opens them. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Nothing, Time } from '../common.ts'
import { Job } from '../durable-jobs/index.ts'
import { routes } from '../route.ts'
import { recoveryBackupDescription } from './area.ts'
import { Backups, BackupSettings, BackupsState, RecoveryKey } from './backups.ts'
import { BackupDestination, BackupDestinationBody, BackupTrial } from './destinations.ts'
import { Drills } from './drills.ts'
import { firstRestoreRoutes } from './first-restore.ts'
import { BackupRetention, BackupRetentionPreview, BackupRetentionSettings } from './retention.ts'

export { Drill, Drills } from './drills.ts'
export { FirstRestore, firstRestoreRoutes, maxBackupObjectBytes, SentBackups } from './first-restore.ts'
export { type Backup, Backups, BackupSettings, BackupsState, backupSchedules, RecoveryKey } from './backups.ts'
export {
  BackupRetention,
  BackupRetentionPreview,
  BackupRetentionSettings,
  retentionPeriods,
} from './retention.ts'
export {
  BackupDestination,
  BackupPlace,
  backupPlaceKinds,
  BackupTrial,
  BackupTrialStep,
} from './destinations.ts'

/** Since when; null: nothing is paused. */
const RecoveryPause = z.strictObject({ since: Time.nullable() })

const ById = z.strictObject({ id: Id })

export const recoveryBackupRoutes = routes({
  ...firstRestoreRoutes,
  pause: {
    method: 'get',
    path: '/api/recovery/pause',
    access: 'admin',
    summary: 'Get whether this is a restored copy that is paused: it sends nothing and makes no backups',
    returns: RecoveryPause,
  },
  endPause: {
    method: 'delete',
    path: '/api/recovery/pause',
    access: 'admin',
    forPeople: true,
    proof: true,
    audit: 'recovery-pause.end',
    summary: 'Resume a paused copy. E-mails are sent and backups made from now on',
    returns: RecoveryPause,
  },
  destinations: {
    method: 'get',
    path: '/api/recovery/destinations',
    access: 'admin',
    summary: 'List backup destinations',
    returns: z.strictObject({ items: z.array(BackupDestination) }),
  },
  addDestination: {
    method: 'post',
    path: '/api/recovery/destinations',
    access: 'admin',
    forPeople: true,
    proof: true,
    audit: 'backup-destination.create',
    summary: 'Add a backup destination',
    body: BackupDestinationBody,
    returns: BackupDestination,
    errors: ['backup_destination_taken', 'backup_secret_needed', 'url_not_allowed', 'backup_destinations_full'],
  },
  updateDestination: {
    method: 'put',
    path: '/api/recovery/destinations/{id}',
    access: 'admin',
    names: 'instance',
    forPeople: true,
    proof: true,
    audit: 'backup-destination.update',
    summary: 'Update a backup destination. The secret is kept if you leave it out and the location stays the same',
    params: ById,
    body: BackupDestinationBody,
    returns: BackupDestination,
    errors: [
      'backup_destination_not_found',
      'backup_destination_taken',
      'backup_secret_needed',
      'setting_locked',
      'url_not_allowed',
    ],
  },
  removeDestination: {
    method: 'delete',
    path: '/api/recovery/destinations/{id}',
    access: 'admin',
    names: 'instance',
    forPeople: true,
    proof: true,
    audit: 'backup-destination.delete',
    summary: 'Remove a backup destination. Backups stored there are kept',
    params: ById,
    returns: Nothing,
    errors: ['backup_destination_not_found', 'setting_locked'],
  },
  testDestination: {
    method: 'post',
    path: '/api/recovery/destinations/{id}/test',
    access: 'admin',
    names: 'instance',
    limit: 'connect',
    summary: 'Test a destination step by step: connect, sign in, write, list, read back, delete',
    params: ById,
    returns: BackupTrial,
    errors: ['backup_destination_not_found'],
  },
  settings: {
    method: 'get',
    path: '/api/recovery/settings',
    access: 'admin',
    summary: 'Get how often backups are made',
    returns: BackupSettings,
  },
  updateSettings: {
    method: 'put',
    path: '/api/recovery/settings',
    access: 'admin',
    forPeople: true,
    proof: true,
    audit: 'setting.change',
    summary: 'Set how often backups are made',
    body: BackupSettings.pick({ schedule: true }),
    returns: BackupSettings,
    errors: ['setting_locked'],
  },
  retention: {
    method: 'get',
    path: '/api/recovery/retention',
    access: 'admin',
    summary: 'Get which backups are kept when a newer one is made',
    returns: BackupRetentionSettings,
  },
  updateRetention: {
    method: 'put',
    path: '/api/recovery/retention',
    access: 'admin',
    forPeople: true,
    proof: true,
    audit: 'setting.change',
    summary: 'Set which backups are kept. The others are deleted after the next backup',
    body: BackupRetention.partial(),
    returns: BackupRetentionSettings,
    errors: ['setting_locked'],
  },
  previewRetention: {
    method: 'post',
    path: '/api/recovery/retention/preview',
    access: 'admin',
    limit: 'connect',
    summary: 'Preview which backups a retention policy would delete. Nothing is changed',
    body: BackupRetention,
    returns: BackupRetentionPreview,
  },
  backups: {
    method: 'get',
    path: '/api/recovery/backups',
    access: 'admin',
    noStore: true,
    summary:
      'List the backups at all destinations, newest first. Destinations that don’t respond in time are reported as problems',
    returns: Backups,
  },
  backupsState: {
    method: 'get',
    path: '/api/recovery/state',
    access: 'admin',
    noStore: true,
    summary: 'Get the last backup at each destination and the time of the next one. No destination is contacted',
    returns: BackupsState,
  },
  makeBackup: {
    method: 'post',
    path: '/api/recovery/backups',
    access: 'admin',
    forPeople: true,
    proof: true,
    audit: 'backup.create',
    limit: 'connect',
    summary: 'Create a backup at all destinations now. Runs as your job',
    returns: Job,
    status: 202,
    errors: ['backup_no_destination', 'backup_paused'],
  },
  removeBackup: {
    method: 'delete',
    path: '/api/recovery/backups/{id}',
    access: 'admin',
    names: 'instance',
    forPeople: true,
    proof: true,
    audit: 'backup.delete',
    summary: 'Delete a backup from one destination',
    params: ById,
    query: z.strictObject({ destinationId: Id }),
    returns: Nothing,
    errors: ['backup_not_found', 'backup_destination_not_found', 'backup_failed'],
  },
  drills: {
    method: 'get',
    path: '/api/recovery/drills',
    access: 'admin',
    noStore: true,
    summary: 'List the last restore drills: what came back from which backup, and how long it took',
    returns: Drills,
  },
  runDrill: {
    method: 'post',
    path: '/api/recovery/drills/run',
    access: 'admin',
    forPeople: true,
    audit: 'recovery-drill.run',
    limit: 'connect',
    summary: 'Restore a backup into a scratch database and compare it, by default the newest. Runs as your job',
    body: z.strictObject({ destinationId: Id.optional(), backupId: Id.optional() }),
    returns: Job,
    status: 202,
    errors: ['backup_no_destination', 'backup_destination_not_found'],
  },
  key: {
    method: 'get',
    path: '/api/recovery/key',
    access: 'admin',
    noStore: true,
    summary: 'Get whether there is a recovery key, and whether someone confirmed having it',
    returns: RecoveryKey,
  },
  makeKey: {
    method: 'post',
    path: '/api/recovery/key',
    access: 'admin',
    forPeople: true,
    proof: true,
    noStore: true,
    audit: 'recovery-key.create',
    limit: 'connect',
    summary: 'Create a recovery key, replacing the previous one. It is returned only this once',
    returns: RecoveryKey.extend({ recoveryKey: z.string() }),
  },
  confirmKey: {
    method: 'post',
    path: '/api/recovery/key/confirm',
    access: 'admin',
    forPeople: true,
    audit: 'recovery-key.confirm',
    limit: 'connect',
    summary: 'Confirm that you have the recovery key with one group of it, as printed in the kit',
    body: z.strictObject({ group: z.string().trim().max(20) }),
    returns: RecoveryKey,
    errors: ['recovery_key_wrong', 'recovery_key_missing'],
  },
})

export const recoveryBackupArea = area(recoveryBackupDescription, {
  routes: recoveryBackupRoutes,
  shapes: { BackupDestination, Backups, BackupsState, BackupTrial, Drills, RecoveryKey },
})
