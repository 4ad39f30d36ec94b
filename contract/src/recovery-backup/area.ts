/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const recoveryBackupDescription = describeArea({
  name: 'recovery-backup',
  tag: 'recovery-backup',
  errors: {
    backup_destination_not_found: [404, 'There is no such destination of backups.'],
    backup_destination_taken: [409, 'A destination with this name is there already.'],
    backup_destinations_full: [409, 'There are too many destinations.'],
    backup_not_found: [404, 'There is no such backup at this destination.'],
    backup_failed: [409, 'The backups there cannot be read.'],
    backup_no_destination: [409, 'Name a destination first.'],
    recovery_key_wrong: [400, 'This is not that group of the recovery key.'],
    recovery_key_missing: [409, 'There is no recovery key yet.'],
    backup_secret_needed: [
      400,
      'Write the secret of the destination, too: the one that is saved belongs to another place.',
    ],
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
  ],
  jobs: ['recovery-backup.create', 'recovery-backup.drill', 'recovery-backup.schedule'],
  scopes: ['read', 'write'],
})
