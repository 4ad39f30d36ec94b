/** Restores what was sent into a folder or a schema of its own. */
import { DestinationFailure } from '../../platform/backups/destinations/destination.ts'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import type { FirstRestoreReason, FirstRestoreState, ReceivedSummary } from '../../platform/backups/first-restore.ts'
import {
  BackupFailure,
  type ListedBackup,
  listBackups,
  openBackupKeys,
  wrongGroupsIn,
} from '../../platform/backups/index.ts'
import { VaultFailure } from '../../platform/vault/failure.ts'
import { everySecond } from './every-second.ts'
import { restoreBackup } from './restore.ts'
import { secretOf } from './secret.ts'

export interface ReceivedBackup {
  readonly received: string
  /** The folder that is to be a data folder; on PostgreSQL nothing of it is used. */
  readonly target: string
  /** Where the tables go on PostgreSQL. */
  readonly url: string | null
  /** As it was typed. */
  readonly secret: string
  /** The instance key with which the server goes on, hexadecimal; null for that of the backup. */
  readonly ownKey: string | null
  /** The id of a backup; null for the newest. */
  readonly at: string | null
  /** Say only which backups there are. */
  readonly list: boolean
}

export type RestoreMessage =
  | { readonly kind: 'progress'; readonly step: FirstRestoreState['step']; readonly rows: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'listed'; readonly backups: readonly ReceivedSummary[] }
  | {
      readonly kind: 'failed'
      readonly reason: FirstRestoreReason
      readonly wrongGroups: number[]
      /** For the log. */
      readonly message: string
    }

/** Never throws: whatever goes wrong is its answer. */
export const restoreReceived = async (
  { received, target, url, secret: typed, ownKey, at, list }: ReceivedBackup,
  tell: (message: RestoreMessage) => void,
): Promise<RestoreMessage> => {
  const secret = secretOf(typed)
  try {
    const from = openFolder(received)
    const { keys, instanceKey } = await openBackupKeys(from, secret)
    if (list) return { kind: 'listed', backups: (await listBackups(from, keys)).flatMap(summaryOf) }
    const key = ownKey === null ? instanceKey : Buffer.from(ownKey, 'hex')
    if (key === null) return keyElsewhere('The instance key does not travel with these backups.')
    await restoreBackup({
      from,
      keys,
      instanceKey: key,
      replacedKey: instanceKey === null || instanceKey.equals(key) ? undefined : instanceKey,
      at: at ?? undefined,
      target: { dataDir: target, url: url ?? undefined, keyIsElsewhere: ownKey !== null, isOwnSchema: true },
      dryRun: false,
      asCopy: false,
      now: Date.now,
      onProgress: everySecond((step, rows) => tell({ kind: 'progress', step, rows })),
    })
    return { kind: 'done' }
  } catch (error) {
    if (error instanceof VaultFailure && error.kind === 'key-wrong') return keyElsewhere(error.message)
    const reason = reasonOf(error)
    const isMistyped = reason === 'mistyped' && 'recoveryKey' in secret
    const { message } = error as Error
    return { kind: 'failed', reason, wrongGroups: isMistyped ? wrongGroupsIn(secret.recoveryKey) : [], message }
  }
}

const keyElsewhere = (message: string): RestoreMessage => ({
  kind: 'failed',
  reason: 'key_elsewhere',
  wrongGroups: [],
  message,
})

/** What cannot be read is left out. */
const summaryOf = (backup: ListedBackup): ReceivedSummary[] =>
  'problem' in backup ? [] : [{ id: backup.id, createdAt: backup.createdAt }]

const reasonOf = (error: unknown): FirstRestoreReason => {
  if (error instanceof DestinationFailure)
    return error.kind === 'full' || error.kind === 'missing' ? error.kind : 'damaged'
  if (!(error instanceof BackupFailure)) return isFullDisk(error) ? 'full' : 'failed'
  switch (error.code) {
    case 'damaged':
    case 'key':
    case 'missing':
    case 'mistyped':
    case 'newer':
      return error.code
    case 'refused':
      return 'several'
    case 'different':
    case 'occupied':
      return 'failed'
  }
}

/** As the system and the database say it. */
const isFullDisk = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(String((error as { readonly code?: unknown }).code)) ||
  /database or disk is full/.test(String(error))
