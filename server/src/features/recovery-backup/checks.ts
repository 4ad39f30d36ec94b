/** What can be wrong with backups. */
import type { BackupDestination, BackupSettings, RecoveryKey } from '@atrium/contract/recovery-backup'
import { type DiagnosticCheck, reportFailure, reportPass, reportWarning } from '../../platform/diagnostics/checks.ts'
import type { RestoreDrills } from './drills.ts'
import { askAfterMs } from './keys.ts'
import { type BackupTimes, isOverdue } from './rules.ts'

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

/** Whether the last backup is as old as its schedule says, and went well. */
export const ageCheck = ({
  state,
  count,
  schedule,
  now,
}: {
  readonly state: () => Promise<BackupTimes & { readonly lastFailure: string | null }>
  /** Of destinations. */
  readonly count: () => Promise<number>
  readonly schedule: () => Promise<BackupSettings['schedule']>
  readonly now: () => number
}): DiagnosticCheck => ({
  id: 'backup-age',
  watched: true,
  async run() {
    if ((await count()) === 0) return null
    const times = await state()
    const last = times.lastMadeAt === null ? 'never' : new Date(times.lastMadeAt).toISOString()
    if (isOverdue(await schedule(), times, now()))
      return reportFailure(`A backup is overdue; the last one was made ${last}. ${times.lastFailure ?? ''}`.trim())
    if (times.lastFailure !== null) return reportWarning(`The last backup failed. ${times.lastFailure}`)
    return reportPass(`The last backup was made ${last}.`)
  },
})

/** Whether a backup has come back in a restore drill of late. */
export const drillCheck = ({
  last,
  intervalHours,
  now,
}: {
  readonly last: RestoreDrills['last']
  readonly intervalHours: number
  readonly now: () => number
}): DiagnosticCheck => ({
  id: 'backup-drill',
  watched: true,
  async run() {
    const { drill, passed } = await last()
    if (!drill) return null
    if (drill.error !== null)
      return reportFailure(
        `The last restore drill failed (${drill.destinationName}): ${drill.error} Back up and run another drill under Settings, Backups.`,
      )
    const time = new Date(drill.finishedAt).toISOString()
    if (intervalHours > 0 && passed && now() - passed.finishedAt > 2 * intervalHours * 3600_000)
      return reportWarning(`No restore drill has passed since ${time}.`)
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
