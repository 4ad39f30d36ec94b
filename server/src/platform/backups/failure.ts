import { DestinationFailure } from './destinations/destination.ts'

/**
 * - `damaged`: bytes were flipped, cut, appended, or lie under another name; or another key sealed them.
 * - `missing`: something that a backup needs is not there.
 * - `key`: no key that was given opens the backups.
 * - `mistyped`: a recovery key has an error in it.
 * - `newer`: made by a version with a schema that this one does not know.
 * - `occupied`: the target holds something.
 * - `different`: what was restored is not what was in the backup.
 * - `refused`: the wish makes no sense as things are.
 */
export type BackupFailureCode =
  | 'damaged'
  | 'missing'
  | 'key'
  | 'mistyped'
  | 'newer'
  | 'occupied'
  | 'different'
  | 'refused'

/** Why a backup cannot be made, read or restored. `message` is a sentence for the operator, without secrets. */
export class BackupFailure extends Error {
  readonly code: BackupFailureCode
  constructor(code: BackupFailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BackupFailure'
    this.code = code
  }
}

/** Whether an error says in words for an operator why a backup or its destination failed. Anything else is a fault of ours. */
export const isKnownFailure = (error: unknown): error is BackupFailure | DestinationFailure =>
  error instanceof BackupFailure || error instanceof DestinationFailure
