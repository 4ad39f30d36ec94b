/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const recoveryBackupDescription = describeArea({
  name: 'recovery-backup',
  tag: 'recovery-backup',
  errors: {
    backup_destination_not_found: [404, 'There is no such destination of backups.'],
    backup_destination_taken: [409, 'A destination with this name is there already.'],
    backup_destinations_full: [409, 'There are too many destinations.'],
    backup_secret_needed: [
      400,
      'Write the secret of the destination, too: the one that is saved belongs to another place.',
    ],
  },
  audit: ['backup-destination.create', 'backup-destination.update', 'backup-destination.delete'],
  scopes: ['read', 'write'],
})
