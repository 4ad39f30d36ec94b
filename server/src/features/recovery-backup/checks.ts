/** What can be wrong with backups. */
import type { BackupDestination } from '@atrium/contract/recovery-backup'
import { type DiagnosticCheck, reportPass, reportWarning } from '../../platform/diagnostics/checks.ts'

/** Whether all destinations lie on the disk that would be lost with the data. */
export const destinationsCheck = (list: () => Promise<readonly BackupDestination[]>): DiagnosticCheck => ({
  id: 'backup-destinations',
  watched: true,
  async run() {
    const destinations = await list()
    if (destinations.length === 0) return null
    if (destinations.every(({ onDataDisk }) => onDataDisk === true))
      return reportWarning(
        'Backups are kept on the disk that DATA_DIR lies on only: what takes the one takes the other. Name a further destination under Settings, Backups.',
      )
    return reportPass(`Backups are kept in ${destinations.map(({ name }) => name).join(', ')}.`)
  },
})
