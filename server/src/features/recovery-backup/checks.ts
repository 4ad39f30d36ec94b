/** What can be wrong with backups. */
import type { BackupDestination, BackupSettings, RecoveryKey } from '@atrium/contract/recovery-backup'
import { type DiagnosticCheck, reportFailure, reportPass, reportWarning } from '../../platform/diagnostics/checks.ts'
import type { RestoreDrills } from './drills.ts'
import { askAfterMs } from './keys.ts'
import { isOverdue } from './rules.ts'

/** Whether this is a copy that must not act yet. */
export const pauseCheck = (since: () => Promise<number | null>): DiagnosticCheck => ({
  id: 'copy-paused',
  watched: true,
  async run() {
    const at = await since()
    if (at === null) return null
    return reportWarning(
      'This instance was restored as a copy. It sends no mail, makes no backups and downloads no models until you resume it under Settings, Backups.',
    )
  },
})

/** Whether all destinations lie on the disk that would be lost with the data. */
export const destinationsCheck = (list: () => Promise<readonly BackupDestination[]>): DiagnosticCheck => ({
  id: 'backup-destinations',
  watched: true,
  async run() {
    const destinations = await list()
    if (destinations.length === 0) return null
    if (destinations.every(({ onDataDisk }) => onDataDisk === true))
      return reportWarning(
        'Backups are only on the same disk as DATA_DIR, and would be lost with it. Add another destination under Settings, Backups.',
      )
    return reportPass(`Backups are kept in ${destinations.map(({ name }) => name).join(', ')}.`)
  },
})

/**
 * Whether backups have a place at all. Told when somebody asks the doctor; it becomes an alert only when the first backup is
 * overdue, so that nobody who has just begun is warned by mail.
 */
export const noDestinationCheck = (
  count: () => Promise<number>,
  schedule: () => Promise<BackupSettings['schedule']>,
): DiagnosticCheck => ({
  id: 'backup-destinations',
  async run() {
    if ((await count()) > 0 || (await schedule()) === 'off') return null
    return reportWarning(noDestination)
  },
})

const noDestination =
  'No backups are made: there is no destination for them. Add one under Settings, Backups, or turn them off there.'

/** Whether the last backup is as old as its schedule says, and went well. */
export const ageCheck = ({
  state,
  count,
  schedule,
  now,
}: {
  readonly state: () => Promise<Parameters<typeof isOverdue>[1] & { readonly lastFailure: string | null }>
  /** Of destinations. */
  readonly count: () => Promise<number>
  readonly schedule: () => Promise<BackupSettings['schedule']>
  readonly now: () => number
}): DiagnosticCheck => ({
  id: 'backup-age',
  watched: true,
  async run() {
    const times = await state()
    const overdue = isOverdue(await schedule(), times, now())
    if ((await count()) === 0) return overdue ? reportFailure(noDestination) : null
    const last =
      times.lastMadeAt === null
        ? 'no backup has been made yet'
        : `the last one was made ${new Date(times.lastMadeAt).toISOString()}`
    if (overdue) return reportFailure(`A backup is overdue; ${last}. ${times.lastFailure ?? ''}`.trim())
    if (times.lastFailure !== null) return reportWarning(`The last backup failed. ${times.lastFailure}`)
    return times.lastMadeAt === null ? null : reportPass(`No backup is overdue; ${last}.`)
  },
})

/** Whether a backup has come back in a restore drill of late. */
export const drillCheck = (last: RestoreDrills['last'], isOverdue: () => Promise<boolean>): DiagnosticCheck => ({
  id: 'backup-drill',
  watched: true,
  async run() {
    const { drill, passed } = await last()
    if (drill && drill.error !== null)
      return reportFailure(
        `The last restore drill failed (${drill.destinationName}): ${drill.error} Back up and run another drill under Settings, Backups.`,
      )
    if (await isOverdue())
      return reportWarning(
        passed
          ? `No restore drill has passed since ${new Date(passed.finishedAt).toISOString()}.`
          : 'No backup has passed a restore drill yet. Run one under Settings, Backups.',
      )
    if (!drill) return null
    const time = new Date(drill.finishedAt).toISOString()
    return reportPass(`The backup in ${drill.destinationName} passed a restore drill at ${time}.`)
  },
})

/** Whether somebody has the recovery key. */
export const keyCheck = ({
  status,
  now,
}: {
  readonly status: () => Promise<RecoveryKey>
  readonly now: () => number
}): DiagnosticCheck => ({
  id: 'backup-key',
  watched: true,
  async run() {
    const { state, madeAt } = await status()
    if (state === 'none') return null
    if (state === 'unseen')
      return reportWarning(
        'There is no recovery key for the backups. Create one under Settings, Backups, and print it: without it and without this machine, no backup can be opened.',
      )
    if (state === 'unconfirmed' && now() - Date.parse(madeAt ?? '') >= askAfterMs)
      return reportWarning(
        'Nobody has confirmed the recovery key for the backups. Confirm part of it under Settings, Backups.',
      )
    return reportPass('The backups have a recovery key.')
  },
})
