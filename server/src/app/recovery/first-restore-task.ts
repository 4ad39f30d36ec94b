/** Restores what was sent into a folder of its own. */
import { DestinationFailure } from '../../platform/backups/destinations/destination.ts'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import type { FirstRestoreReason, FirstRestoreState } from '../../platform/backups/first-restore.ts'
import { BackupFailure, openBackupKeys, wrongGroupsIn } from '../../platform/backups/index.ts'
import { everySecond } from './every-second.ts'
import { restoreBackup } from './restore.ts'
import { secretOf } from './secret.ts'

export interface ReceivedBackup {
  readonly received: string
  /** The folder that is to be a data folder. */
  readonly target: string
  /** As it was typed. */
  readonly secret: string
  /** The instance key of the environment (hexadecimal), where it comes from there. */
  readonly environmentKey: string | null
}

export type RestoreMessage =
  | { readonly kind: 'progress'; readonly step: FirstRestoreState['step']; readonly rows: number }
  | { readonly kind: 'done' }
  | {
      readonly kind: 'failed'
      readonly reason: FirstRestoreReason
      readonly wrongGroups: number[]
      /** For the log. */
      readonly message: string
    }

/** Never throws: whatever goes wrong is its answer. */
export const restoreReceived = async (
  { received, target, secret: typed, environmentKey }: ReceivedBackup,
  tell: (message: RestoreMessage) => void,
): Promise<RestoreMessage> => {
  const secret = secretOf(typed)
  try {
    const from = openFolder(received)
    const { keys, instanceKey } = await openBackupKeys(from, secret)
    const key = instanceKey ?? (environmentKey === null ? null : Buffer.from(environmentKey, 'hex'))
    // Where it comes by the environment, the server goes on with that one.
    if (key === null || (environmentKey !== null && key.toString('hex') !== environmentKey.toLowerCase()))
      return { kind: 'failed', reason: 'key_elsewhere', wrongGroups: [], message: 'The instance key is another one.' }
    await restoreBackup({
      from,
      keys,
      instanceKey: key,
      target: { dataDir: target, keyIsElsewhere: environmentKey !== null },
      dryRun: false,
      asCopy: false,
      now: Date.now,
      onProgress: everySecond((step, rows) => tell({ kind: 'progress', step, rows })),
    })
    return { kind: 'done' }
  } catch (error) {
    const reason = reasonOf(error)
    const isMistyped = reason === 'mistyped' && 'recoveryKey' in secret
    const { message } = error as Error
    return { kind: 'failed', reason, wrongGroups: isMistyped ? wrongGroupsIn(secret.recoveryKey) : [], message }
  }
}

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
