/** What can be wrong with backups. */
import type { BackupDestination, BackupSettings, RecoveryKey } from '@atrium/contract/recovery-backup'
import {
  type CheckOutcome,
  type DiagnosticCheck,
  reportFailure,
  reportPass,
  reportWarning,
  withoutNames,
} from '../../platform/diagnostics/checks.ts'
import type { RestoreDrills } from './drills.ts'
import { askAfterMs } from './keys.ts'
import { isDrillOverdue, isOverdue } from './rules.ts'
import type { BackupState, PlaceState } from './state.ts'

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
    return withoutNames(
      reportPass(`Backups are kept in ${destinations.map(({ name }) => name).join(', ')}.`),
      `Backups are kept in ${destinations.length === 1 ? 'one destination' : `${destinations.length} destinations`}.`,
    )
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

/** A destination, and what came of the backups there. */
export type PlaceReport = Pick<PlaceState, 'missingSince' | 'firstMadeAt' | 'lastMadeAt' | 'lastFailure'> & {
  readonly name: string
}

/** Whether the last backup at each destination is as old as the schedule says, and went well. */
export const ageCheck = ({
  places,
  withoutSince,
  schedule,
  now,
}: {
  readonly places: () => Promise<readonly PlaceReport[]>
  readonly withoutSince: BackupState['withoutSince']
  readonly schedule: () => Promise<BackupSettings['schedule']>
  readonly now: () => number
}): DiagnosticCheck => ({
  id: 'backup-age',
  watched: true,
  async run() {
    const [known, every] = [await places(), await schedule()]
    if (known.length === 0) {
      const times = { lastMadeAt: null, missingSince: await withoutSince() }
      return isOverdue(every, times, now()) ? reportFailure(noDestination) : null
    }
    return judge(known, (given) => judgeAges(given, every, now()))
  },
})

const judgeAges = (
  known: readonly PlaceReport[],
  every: BackupSettings['schedule'],
  now: number,
): CheckOutcome | null => {
  const overdue = known.filter((place) => isOverdue(every, place, now))
  if (overdue.length > 0)
    return reportFailure(
      `A backup is overdue. ${overdue.map((place) => `${describe(place)} ${place.lastFailure ?? ''}`.trim()).join(' ')}`,
    )
  const failed = known.filter(({ lastFailure }) => lastFailure !== null)
  if (failed.length > 0)
    return reportWarning(
      `The last backup failed. ${failed.map(({ name, lastFailure }) => `${name}: ${lastFailure}`).join(' ')}`,
    )
  const without = known.filter(({ lastMadeAt }) => lastMadeAt === null)
  if (without.length > 0 && every === 'off') return null
  // The first one is to come, or is made just now; once it should be there it is overdue.
  if (without.length === known.length) return null
  return reportPass(known.map(describe).join(' '))
}

/**
 * Whether the server made a backup at each destination where it makes none by itself. Told when somebody asks the doctor, and
 * never an alert: they may be made by a command that another clock runs.
 */
export const firstBackupCheck = ({
  places,
  schedule,
}: {
  readonly places: () => Promise<readonly PlaceReport[]>
  readonly schedule: () => Promise<BackupSettings['schedule']>
}): DiagnosticCheck => ({
  id: 'backup-age',
  async run() {
    const [known, every] = [await places(), await schedule()]
    if (every !== 'off' || known.some(({ lastFailure }) => lastFailure !== null)) return null
    return judge(known, (given) => {
      const without = given.filter(({ lastMadeAt }) => lastMadeAt === null)
      if (without.length === 0) return null
      return reportWarning(
        `${without.map(describe).join(' ')} The schedule is off: back up by hand under Settings, Backups, or choose a schedule.`,
      )
    })
  },
})

/** What is said of destinations, and the same without what people called them. */
const judge = <P extends { readonly name: string }>(
  places: readonly P[],
  say: (places: readonly P[]) => CheckOutcome | null,
): CheckOutcome | null => {
  const outcome = say(places)
  const nameless = say(places.map((place, at) => ({ ...place, name: `Destination ${at + 1}` })))
  return outcome && nameless && withoutNames(outcome, nameless.message)
}

const describe = ({ name, lastMadeAt }: PlaceReport): string =>
  `${name}: ${lastMadeAt === null ? 'no backup has been made yet.' : `the last one was made ${new Date(lastMadeAt).toISOString()}.`}`

/** Whether a backup of each destination has come back in a restore drill of late. */
export const drillCheck = ({
  places,
  drills,
  intervalHours,
  now,
}: {
  readonly places: () => Promise<readonly (PlaceReport & { readonly id: string })[]>
  readonly drills: RestoreDrills['read']
  readonly intervalHours: number
  readonly now: () => number
}): DiagnosticCheck => ({
  id: 'backup-drill',
  watched: true,
  async run() {
    const read = await drills()
    const known = (await places()).map((place) => ({ ...place, ...read(place.id) }))
    return judge(known, (given) => judgeDrills(given, intervalHours, now()))
  },
})

type ProvenPlace = PlaceReport & ReturnType<Awaited<ReturnType<RestoreDrills['read']>>>

const judgeDrills = (known: readonly ProvenPlace[], intervalHours: number, now: number): CheckOutcome | null => {
  // Each destination until one of its own passes: drills take turns.
  const failed = known.filter(({ drill }) => drill?.error)
  if (failed.length > 0)
    return reportFailure(
      `The last restore drill failed. ${failed.map(({ name, drill }) => `${name}: ${drill?.error}`).join(' ')} ${
        failed.some(({ drill }) => drill?.damaged)
          ? 'The next backup there sends everything again. Back up and run another drill under Settings, Backups.'
          : 'Run another drill under Settings, Backups.'
      }`,
    )
  const overdue = known.filter(({ firstMadeAt, passed }) =>
    isDrillOverdue(intervalHours, known.length, { firstMadeAt, lastPassedAt: passed?.finishedAt ?? null }, now),
  )
  if (overdue.length > 0)
    return reportWarning(
      `No restore drill has passed recently. Run one under Settings, Backups. ${overdue.map(({ name, passed }) => `${name}: ${passed ? `the last one at ${new Date(passed.finishedAt).toISOString()}.` : 'never.'}`).join(' ')}`,
    )
  const proved = known.flatMap(({ name, passed }) => (passed ? { name, ...passed } : []))
  if (proved.length === 0) return null
  return reportPass(
    proved
      .map(
        ({ name, finishedAt }) =>
          `The backup in ${name} passed a restore drill at ${new Date(finishedAt).toISOString()}.`,
      )
      .join(' '),
  )
}

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
