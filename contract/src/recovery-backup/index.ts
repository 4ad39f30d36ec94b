/** Backups of the instance, for its administrators: where they are kept. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Nothing } from '../common.ts'
import { routes } from '../route.ts'
import { recoveryBackupDescription } from './area.ts'
import { BackupDestination, BackupDestinationBody, BackupTrial } from './destinations.ts'

export {
  BackupDestination,
  BackupPlace,
  backupPlaceKinds,
  BackupTrial,
  BackupTrialStep,
} from './destinations.ts'

const ById = z.strictObject({ id: Id })

export const recoveryBackupRoutes = routes({
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
})

export const recoveryBackupArea = area(recoveryBackupDescription, {
  routes: recoveryBackupRoutes,
  shapes: { BackupDestination, BackupTrial },
})
