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
    summary: 'Whether this is a copy that sends nothing and makes no backups yet',
    returns: RecoveryPause,
  },
  endPause: {
    method: 'delete',
    path: '/api/recovery/pause',
    access: 'admin',
    forPeople: true,
    proof: true,
    audit: 'recovery-pause.end',
    summary: 'Let a copy act: mail is sent and backups are made from now on',
    returns: RecoveryPause,
  },
  destinations: {
    method: 'get',
    path: '/api/recovery/destinations',
    access: 'admin',
    summary: 'Where backups are kept',
    returns: z.strictObject({ items: z.array(BackupDestination) }),
  },
  addDestination: {
    method: 'post',
    path: '/api/recovery/destinations',
    access: 'admin',
    forPeople: true,
    proof: true,
    audit: 'backup-destination.create',
    summary: 'Keep backups in another place, too',
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
    summary: 'Say anew what a destination is; the secret is kept where it is absent and the place is the same',
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
    summary: 'Keep no more backups there; what lies there stays',
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
    summary: 'Try a destination step by step: reach it, sign in, write, list, read back, remove',
    params: ById,
    returns: BackupTrial,
    errors: ['backup_destination_not_found'],
  },
  settings: {
    method: 'get',
    path: '/api/recovery/settings',
    access: 'admin',
    summary: 'How often backups are made',
    returns: BackupSettings,
  },
  updateSettings: {
    method: 'put',
    path: '/api/recovery/settings',
    access: 'admin',
    forPeople: true,
    proof: true,
    audit: 'setting.change',
    summary: 'Say how often backups are made',
    body: BackupSettings.pick({ schedule: true }),
    returns: BackupSettings,
    errors: ['setting_locked'],
  },
  retention: {
    method: 'get',
    path: '/api/recovery/retention',
    access: 'admin',
    summary: 'Which backups stay when a newer one was made',
    returns: BackupRetentionSettings,
  },
  updateRetention: {
    method: 'put',
    path: '/api/recovery/retention',
    access: 'admin',
    forPeople: true,
    proof: true,
    audit: 'setting.change',
    summary: 'Say which backups stay; the others go when the next one was made',
    body: BackupRetention.partial(),
    returns: BackupRetentionSettings,
    errors: ['setting_locked'],
  },
  previewRetention: {
    method: 'post',
    path: '/api/recovery/retention/preview',
    access: 'admin',
    limit: 'connect',
    summary: 'The backups that would go by a policy; nothing is changed',
    body: BackupRetention,
    returns: BackupRetentionPreview,
  },
  backups: {
    method: 'get',
    path: '/api/recovery/backups',
    access: 'admin',
    noStore: true,
    summary: 'The backups of every destination, newest first; one that does not answer in time is among the problems',
    returns: Backups,
  },
  backupsState: {
    method: 'get',
    path: '/api/recovery/state',
    access: 'admin',
    noStore: true,
    summary: 'How the last backup at every destination went, and when the next one is due; no destination is asked',
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
    summary: 'Make a backup now, as a job of the caller, at every destination',
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
    summary: 'Take a backup away from one destination',
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
    summary: 'The last restore drills: what came back of which backup, and how long it took',
    returns: Drills,
  },
  runDrill: {
    method: 'post',
    path: '/api/recovery/drills/run',
    access: 'admin',
    forPeople: true,
    audit: 'recovery-drill.run',
    limit: 'connect',
    summary:
      'Restore a backup into a scratch database and compare it, as a job of the caller; by default the newest one',
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
    summary: 'Whether there is a recovery key, and whether somebody showed to have it',
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
    summary: 'Make a recovery key, in the place of the one before; it is in this answer only',
    returns: RecoveryKey.extend({ recoveryKey: z.string() }),
  },
  confirmKey: {
    method: 'post',
    path: '/api/recovery/key/confirm',
    access: 'admin',
    forPeople: true,
    audit: 'recovery-key.confirm',
    limit: 'connect',
    summary: 'Show one group of the recovery key, as it stands in the kit',
    body: z.strictObject({ group: z.string().trim().max(20) }),
    returns: RecoveryKey,
    errors: ['recovery_key_wrong', 'recovery_key_missing'],
  },
})

export const recoveryBackupArea = area(recoveryBackupDescription, {
  routes: recoveryBackupRoutes,
  shapes: { BackupDestination, Backups, BackupsState, BackupTrial, Drills, RecoveryKey },
})
