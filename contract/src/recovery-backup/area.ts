/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const recoveryBackupDescription = describeArea({
  name: 'recovery-backup',
  tag: 'recovery-backup',
  errors: {
    backup_destination_not_found: [404, 'Backup destination not found.'],
    backup_destination_taken: [409, 'A destination with this name already exists.'],
    backup_destinations_full: [409, 'You have the maximum number of destinations. Remove one first.'],
    backup_not_found: [404, 'Backup not found at this destination.'],
    backup_failed: [409, 'The backups there can’t be read.'],
    backup_no_destination: [409, 'Add a destination first.'],
    backup_paused: [409, 'This instance is a paused copy and makes no backups. Resume it first.'],
    recovery_key_wrong: [400, 'This doesn’t match that group of the recovery key.'],
    recovery_key_missing: [409, 'There is no recovery key yet.'],
    first_restore_unavailable: [409, 'This server already has accounts, or can’t restore from this page.'],
    first_restore_running: [409, 'A restore is running.'],
    backup_secret_needed: [400, 'Enter the destination’s secret too: the saved one belongs to another address.'],
  },
  audit: [
    'backup-destination.create',
    'backup-destination.update',
    'backup-destination.delete',
    'backup.create',
    'backup.delete',
    'recovery-drill.run',
    'recovery-key.create',
    'recovery-key.confirm',
    'recovery-pause.end',
  ],
  jobs: ['recovery-backup.create', 'recovery-backup.drill', 'recovery-backup.schedule'],
  jobFailures: ['drill_failed'],
  scopes: ['read', 'write'],
})
