/** `npm run backup`: makes, lists, verifies and deletes backups, beside a running server or without one. */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import {
  BackupFailure,
  type BackupKeys,
  chooseBackup,
  createBackup,
  deleteBackup,
  type ListedBackup,
  listBackups,
  keyVariables,
  makeBackupKeys,
  openBackupKeys,
  type PruneResult,
  pruneBackups,
  type RetentionPolicy,
  usualRetention,
  verifyBackup,
  withOperatorWishes,
} from '../../platform/backups/index.ts'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import { type Config, dataPathsIn } from '../config.ts'
import { sizeOf } from '../data-folder.ts'
import { version } from '../version.ts'
import { type Database, openDatabase } from '../../platform/db/index.ts'
import { createSavedSettings, declareVariables, wholeNumber } from '../../platform/settings/index.ts'
import { systemClock } from '../../platform/system-clock.ts'
import type { InstanceKey } from '../../platform/vault/instance-key.ts'
import { openVault, type OpenVault } from '../../platform/vault/vault.ts'
import { fileKeyOf } from './file-key.ts'
import { refuseUnfinishedInstance } from './marker.ts'
import { openPlace } from './place.ts'
import { ownInstanceKeys, readSecret } from './secret.ts'

export const backupHelp = `npm run backup -- [create|list|verify|delete|prune] [--to <place>] [--at <id or time>] [--json]
  create   makes a backup (this is what it does without a word)
  list     says what backups there are
  verify   reads one, by default the newest, and compares all of it
  delete   takes one away; --at names it
  prune    takes away what retention does not keep: as BACKUP_KEEP_… say, else 24 hourly, 7 daily, 5 weekly, 12 monthly; the
           newest always stays, and the last one that passed a drill of the instance here
  --to       where the backups are kept: a folder, or s3: or webdav: for what BACKUP_S3_… or BACKUP_WEBDAV_… say;
             without it, the one place that the environment names
  --at       an id, or a time such as 2026-11-20T04:00Z: the newest backup of then or before
  --key      a file with the recovery key, an instance key or an age identity; - for standard input
  --set      which backups, where those of several instances are kept at one place
  --dry-run  with prune: say what would go, and why the rest stays
  --whole    send everything, also what is there already
  --no-escrow  with the first backup: leave the instance key out; then only who has it can restore
  --json     the result as JSON; with a first backup that fails, the recovery key: it is not shown again`

/** `write` takes what goes to standard output. Throws BackupFailure and DestinationFailure. */
export const runBackup = async (
  args: readonly string[],
  config: Config,
  write: (text: string) => void,
): Promise<void> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      at: { type: 'string' },
      key: { type: 'string' },
      set: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      whole: { type: 'boolean', default: false },
      'no-escrow': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const destination = openPlace(config, values.to, '--to')
  const [verb = 'create'] = positionals
  const say = (result: unknown, text: string): void => write(values.json ? JSON.stringify(result, null, 2) : text)
  const open = async () => (await openBackupKeys(destination, await readSecret(config, values.key), values.set)).keys
  switch (verb) {
    case 'create': {
      // It would become the newest one, from which the restore is resumed.
      await refuseUnfinishedInstance(config)
      const own = await ownInstanceKeys(config)
      const instanceKey = own.key
      const { keys, recoveryKey } = await keysFor(destination, own, config, values)
      const database = config.databaseUrl
        ? { url: config.databaseUrl }
        : { file: dataPathsIn(config.dataDir).database, key: fileKeyOf(dataPathsIn(config.dataDir).database, own) }
      const options = { database, destination, keys, instanceKey, appVersion: version, whole: values.whole }
      // Told before the backup is made: whoever interrupts it has the key of what lies there.
      if (recoveryKey !== null && !values.json) write(kit(recoveryKey))
      const summary = await createBackup({ ...options, now: Date.now }).catch((error: unknown) => {
        // The keys may lie there already: it could not be told again.
        if (recoveryKey !== null && values.json) write(JSON.stringify({ id: null, recoveryKey }, null, 2))
        throw error
      })
      say(recoveryKey === null ? summary : { ...summary, recoveryKey }, `Made. ${describe(summary)}`)
      return
    }
    case 'list': {
      const backups = await listBackups(destination, await open())
      say({ items: backups }, backups.length === 0 ? 'There are no backups yet.' : backups.map(describe).join('\n'))
      return
    }
    case 'verify': {
      const keys = await open()
      const id = await chooseBackup(destination, keys, values.at)
      const { totals } = await verifyBackup(destination, keys, id)
      say({ id, ...totals }, `${id} is whole: ${totals.rows} rows.`)
      return
    }
    case 'delete': {
      if (values.at === undefined) throw new BackupFailure('refused', 'Say which backup with --at.')
      const keys = await open()
      const id = await chooseBackup(destination, keys, values.at)
      await deleteBackup(destination, keys, id)
      say({ id }, `${id} is deleted.`)
      return
    }
    case 'prune': {
      // Which one passed a drill, half an instance does not say.
      await refuseUnfinishedInstance(config)
      const keys = await open()
      const ids = new Set((await listBackups(destination, keys)).map(({ id }) => id))
      const proved = (await readProved(config)).find((id) => ids.has(id))
      const options = { now: Date.now(), dryRun: values['dry-run'], proved }
      const result = await pruneBackups(destination, keys, retentionIn(config), options)
      say(result, describePruning(result, options.dryRun))
      return
    }
    default:
      throw new BackupFailure('refused', `There is no ${verb}.\n${backupHelp}`)
  }
}

/** Those that lie there, or new ones with the first backup. */
const keysFor = async (
  destination: Destination,
  own: InstanceKey,
  config: Config,
  { set, 'no-escrow': withoutKey }: { set?: string | undefined; 'no-escrow': boolean },
): Promise<{ keys: BackupKeys; recoveryKey: string | null }> => {
  const open = async (former: readonly Buffer[]): Promise<BackupKeys | BackupFailure> => {
    try {
      return (await openBackupKeys(destination, { instanceKey: own.key, former }, set)).keys
    } catch (error) {
      // Backups of other instances may lie at the same place.
      if (!(error instanceof BackupFailure && (error.code === 'missing' || error.code === 'key'))) throw error
      return error
    }
  }
  const wishes = {
    BACKUP_RECIPIENTS: config.readVariable(keyVariables.BACKUP_RECIPIENTS),
    BACKUP_ESCROW: config.readVariable(keyVariables.BACKUP_ESCROW),
  }
  let keys = await open(own.previous ? [own.previous] : [])
  // They may be sealed for a key that was replaced since.
  if (keys instanceof BackupFailure && keys.code === 'key') keys = await open(await readFormerKeys(config, own))
  if (!(keys instanceof BackupFailure)) return { keys: withOperatorWishes(keys, wishes), recoveryKey: null }
  const made = await makeBackupKeys({ escrow: !withoutKey })
  return { ...made, keys: withOperatorWishes(made.keys, wishes) }
}

/** The instance keys of before, as the database keeps them. */
const readFormerKeys = (config: Config, own: InstanceKey): Promise<Buffer[]> =>
  withOwnVault(config, own, (_, vault) => vault.formerKeys())

const withOwnVault = async <R>(
  config: Config,
  own: InstanceKey,
  work: (database: Database, vault: OpenVault) => Promise<R>,
): Promise<R> => {
  const file = dataPathsIn(config.dataDir).database
  const log = { warn: () => undefined, error: () => undefined }
  const database = await (config.databaseUrl
    ? openDatabase({ url: config.databaseUrl, poolSize: 1, log })
    : openDatabase({ file, key: fileKeyOf(file, own), frugal: true, lock: false, log }))
  try {
    const keys = { instanceKey: own.key, previousKey: own.previous }
    return await work(database, await openVault({ database, ...keys, clock: systemClock }))
  } finally {
    await database.close()
  }
}

/** Ids of backups that passed a drill, the last one first; none where the instance is not on this machine. */
const readProved = async (config: Config): Promise<string[]> => {
  if (!config.databaseUrl && !((await sizeOf(dataPathsIn(config.dataDir).database)) ?? 0)) return []
  return await withOwnVault(config, await ownInstanceKeys(config), async (database, vault) => {
    const saved = createSavedSettings({ database, vault, clock: systemClock, readVariable: config.readVariable })
    try {
      const { drills } = await saved.document('recovery-drills', Drills).read()
      return drills.flatMap(({ backupId, error }) => (error === null && backupId !== null ? [backupId] : []))
    } finally {
      saved.close()
    }
  })
}

const Drills = z.object({
  drills: z.array(z.object({ backupId: z.string().nullable(), error: z.string().nullable() })).default([]),
})

const keep = (periods: string) => [wholeNumber(0, 1000), `of how many ${periods} the newest backup stays`] as const
const keepVariables = declareVariables({
  BACKUP_KEEP_HOURLY: keep('hours'),
  BACKUP_KEEP_DAILY: keep('days'),
  BACKUP_KEEP_WEEKLY: keep('weeks'),
  BACKUP_KEEP_MONTHLY: keep('months'),
})

/** As the environment says, else the usual. What is set in the app holds for the server's own pruning. */
const retentionIn = ({ readVariable }: Config): RetentionPolicy => ({
  hourly: readVariable(keepVariables.BACKUP_KEEP_HOURLY) ?? usualRetention.hourly,
  daily: readVariable(keepVariables.BACKUP_KEEP_DAILY) ?? usualRetention.daily,
  weekly: readVariable(keepVariables.BACKUP_KEEP_WEEKLY) ?? usualRetention.weekly,
  monthly: readVariable(keepVariables.BACKUP_KEEP_MONTHLY) ?? usualRetention.monthly,
})

const kit = (
  recoveryKey: string,
): string => `This is the recovery key of these backups. It is shown only now. Print it, and keep it apart from this machine:

  ${recoveryKey.split('-').slice(0, 7).join('-')}-
  ${recoveryKey.split('-').slice(7).join('-')}
`

const describe = (backup: ListedBackup): string =>
  'problem' in backup
    ? `${backup.id}  ${backup.problem}`
    : `${backup.id}  ${new Date(backup.createdAt).toISOString()}  ${backup.rows} rows, ${backup.files} files, ${megabytes(backup.storedBytes)} in all, ${megabytes(backup.sentBytes)} sent`

const describePruning = ({ backups, freedBytes, locked }: PruneResult, dryRun: boolean): string => {
  const goes = backups.filter(({ reasons }) => reasons.length === 0).length
  const lines = backups.map(
    ({ id, reasons }) => `${id}  ${reasons.length === 0 ? 'goes' : `stays: ${reasons.join(', ')}`}`,
  )
  const held = locked > 0 ? ` ${locked} objects are locked there and stay for now.` : ''
  const end = dryRun ? `${goes} would go.` : `${goes} went, and ${megabytes(freedBytes)} were freed.${held}`
  return [...lines, end].join('\n')
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
