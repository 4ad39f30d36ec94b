/**
 * Backups of everything that an instance has, at one instant, while it works: encrypted, incremental, and the same from
 * either database. It knows tables and rows, and nothing of what is in them; it does not decide when a backup is due.
 */
export { type BackupSummary, createBackup, type CreateOptions } from './create.ts'
export { BackupFailure, type BackupFailureCode, isKnownFailure } from './failure.ts'
export {
  type BackupKeys,
  type BackupSecret,
  checkRecipient,
  isRecoveryKeyOf,
  makeBackupKeys,
  openBackupKeys,
  readBackupKeys,
  replaceRecoveryKey,
  storeBackupKeys,
  withFormerKeys,
  writeBackupKeys,
} from './keys.ts'
export type { Manifest } from './manifest.ts'
export { keyVariables, type OperatorWishes, withOperatorWishes } from './operator-wishes.ts'
export {
  chooseBackup,
  deleteBackup,
  type ListedBackup,
  listBackups,
  listNewerBackups,
  readBackup,
  readColumns,
  verifyBackup,
} from './read.ts'
export { readRecoveryKey, wrongGroupsIn } from './recovery-key.ts'
export { compareRows, loadRows, type LoadOptions, migrationsOfBackup } from './restore.ts'
export { type ProofOptions, proveBackup } from './prove.ts'
export { restoreIndex } from './search-index.ts'
export { pruneBackups, type PruneOptions, type PruneResult } from './prune.ts'
export { type RetainedBackup, type RetentionPolicy, type RetentionReason, usualRetention } from './retention.ts'
export { createBackupInThread, verifyBackupInThread } from './thread.ts'
