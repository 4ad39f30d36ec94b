/** `npm run restore`: puts a backup into an empty folder or an empty database. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BackupFailure, openBackupKeys, withFormerKeys } from '../../platform/backups/index.ts'
import { type Config, dataPathsIn } from '../config.ts'
import { openPlace } from './place.ts'
import { progressOf } from './progress.ts'
import { restoreBackup } from './restore.ts'
import type { Revocations } from './revocations.ts'
import { readSecret } from './secret.ts'

export const restoreHelp = `npm run restore -- [--from <place>] [--at <id or time>] [--to <folder or postgres://…>] [--dry-run]
  --from     where the backups are kept: a folder, or s3: or webdav: for what BACKUP_S3_… or BACKUP_WEBDAV_… say;
             without it, the one place that the environment names
  --at       an id, or a time such as 2026-11-20T04:00Z: the newest backup of then or before; by default the newest
  --to       an empty folder, or an empty PostgreSQL database; by default DATABASE_URL, or DATA_DIR
  --key      a file with the recovery key, an instance key or an age identity; - for standard input
  --set      which backups, where those of several instances are kept at one place
  --dry-run  read and check everything, and write nothing
  --keep-access  leave accounts, tokens and shares as they were then, also what was revoked since
  --as-copy  beside the original: without its mail server, its places of backups and what waits to be sent; mail, backups and
             downloads are paused until an administrator says otherwise
  --json     the result as JSON`

/** `write` takes what goes to standard output, `tell` how far it is, once a second. Throws BackupFailure and DestinationFailure. */
export const runRestore = async (
  args: readonly string[],
  config: Config,
  write: (text: string) => void,
  tell: (text: string) => void = () => undefined,
): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      from: { type: 'string' },
      at: { type: 'string' },
      to: { type: 'string' },
      key: { type: 'string' },
      set: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      'keep-access': { type: 'boolean', default: false },
      'as-copy': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const from = openPlace(config, values.from, '--from')
  const { keys: opened, instanceKey } = await openBackupKeys(from, await readSecret(config, values.key), values.set)
  // Where the instance key does not travel with backups, the one before it does not either.
  const { previousEncryptionKey } = config
  const keys = withFormerKeys(opened, previousEncryptionKey ? [Buffer.from(previousEncryptionKey, 'hex')] : [])
  const key = instanceKey ?? (config.encryptionKey ? Buffer.from(config.encryptionKey, 'hex') : null)
  if (key === null)
    throw new BackupFailure(
      'key',
      'The instance key does not travel with these backups. Give it with ENCRYPTION_KEY: without it nothing that is restored can be read.',
    )
  const url = values.to === undefined ? config.databaseUrl : /^postgres(ql)?:/.test(values.to) ? values.to : undefined
  const dataDir = values.to === undefined || url !== undefined ? config.dataDir : resolve(values.to)
  const keyIsElsewhere = config.encryptionKey?.toLowerCase() === key.toString('hex')
  const options = { from, keys, instanceKey: key, at: values.at, dryRun: values['dry-run'], asCopy: values['as-copy'] }
  const onProgress = progressOf(tell)
  const { manifest, revocations } = await restoreBackup({
    ...options,
    keepAccess: values['keep-access'],
    onProgress,
    target: { dataDir, url, keyIsElsewhere },
    now: Date.now,
  })
  const { id, createdAt, appVersion, dialect, totals, tables } = manifest
  const where = url === undefined ? dataPathsIn(dataDir).database : 'the PostgreSQL database'
  const what = `the backup ${id} of ${new Date(createdAt).toISOString()}: ${totals.rows} rows in ${tables.length} tables, ${totals.files} files, made by version ${appVersion}`
  write(
    values.json
      ? JSON.stringify({ id, createdAt, appVersion, dialect, ...totals, dryRun: options.dryRun, revocations }, null, 2)
      : options.dryRun
        ? `All of it was read and is whole. In ${where} would be ${what}. Nothing was written.`
        : `In ${where} is ${what}. Every row was compared. Everybody has to sign in again. ${revocationText(revocations)}`,
  )
}

/** What became of what was deleted or revoked after the moment of the backup. */
const revocationText = (revocations: Revocations | null): string => {
  const lookAt = 'look at People, and at the audit of the original if you have it.'
  switch (revocations?.state) {
    case 'none':
      return `This is the newest backup: what was deleted or revoked after it (accounts, API tokens, shares) is there again, so ${lookAt}`
    case 'unknown':
      return `What was deleted or revoked since (accounts, API tokens, shares) is there again, because the newest backup cannot be read: ${revocations.reason} So ${lookAt}`
    case 'applied': {
      const { toldBy, unreadable, passwords, oneTimeCodes, settings, ...counts } = revocations.revoked
      const done = Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${count} ${revokedNames[name as keyof typeof counts]}`)
      const [damaged] = unreadable
      const [told, but] = damaged
        ? [
            `the backup ${toldBy}`,
            ` The newest backup ${damaged.id} cannot be read (${damaged.reason}), so what was revoked after ${toldBy} is there again: ${lookAt}`,
          ]
        : [`the newest backup ${toldBy}`, '']
      const changed = [
        passwords > 0 && ` In ${passwords} accounts the password was changed since; the one of then is valid again.`,
        oneTimeCodes > 0 &&
          ` In ${oneTimeCodes} accounts one-time codes were set up anew or removed since; those of then are asked for again.`,
        settings.length > 0 && ` Settings that were changed since are as they were then: ${settings.join(', ')}.`,
        but,
      ]
      const what =
        done.length === 0
          ? `Nothing was revoked between it and ${told}.`
          : `What was revoked between it and ${told} was revoked again: ${done.join(', ')}.`
      return [what, ...changed.filter((text) => text !== false)].join('')
    }
    default:
      return `Accounts, API tokens and shares are as they were then, also those that were revoked since.`
  }
}

const revokedNames = {
  accounts: 'accounts disabled',
  administrators: 'administrators made members',
  tokens: 'tokens',
  shares: 'shares',
  memberships: 'memberships of groups',
  channelMemberships: 'memberships of channels',
  sharesLowered: 'shares with a lesser right or an earlier end',
  signInMethods: 'passkeys and linked sign-ins',
  recoveryCodes: 'recovery codes',
  signInProviders: 'sign-in providers turned off',
  supportAccess: 'support accesses ended',
  calendarAddresses: 'addresses of calendars',
  calendarGuests: 'guests of events',
  webhooks: 'webhooks',
  automations: 'automations paused',
  toolApprovals: 'standing approvals and choices for tools',
  toolServers: 'tool servers turned off or with fewer accounts',
  ownershipOffers: 'offers of ownership',
} as const
