/** Where backups are kept: names and bytes, sealed before they come here. */

/** Bytes under names, in a folder, a bucket or a WebDAV collection. */
export interface Destination {
  /** Stores `bytes` under `name`, whole or not at all; replaces what is there. Names: `[a-z0-9][a-z0-9./_-]{0,199}`. */
  write(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>
  /** The bytes under `name`, or undefined where nothing lies. */
  read(name: string, signal?: AbortSignal): Promise<Uint8Array | undefined>
  /** All names that begin with `prefix`. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<StoredObject>
  /** Takes `name` away; nothing happens where nothing lies. */
  remove(name: string, signal?: AbortSignal): Promise<void>
  /** How much room there is, where the destination tells. */
  space?(): Promise<{ totalBytes: number; freeBytes: number } | undefined>
}

export interface StoredObject {
  readonly name: string
  readonly bytes: number
  readonly modifiedAt: Date
}

/**
 * - `missing`: the folder, bucket or collection is not there.
 * - `denied`: it was reached, and refuses.
 * - `locked`: it keeps an object that was to be removed (object lock, retention).
 * - `full`: no room is left.
 * - `unreachable`: no connection, or it is too slow.
 * - `invalid`: it answers something that its protocol does not have, or a name is not allowed.
 */
export type DestinationFailureKind = 'missing' | 'denied' | 'locked' | 'full' | 'unreachable' | 'invalid'

/** Why a destination did not do what it was asked. `message` is a sentence for the operator, without secrets. */
export class DestinationFailure extends Error {
  readonly kind: DestinationFailureKind
  constructor(kind: DestinationFailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DestinationFailure'
    this.kind = kind
  }
}

/** Longest object that is read back; what a destination sends beyond it is not kept in memory. */
export const maxObjectBytes = 64 * 1024 ** 2

const namePattern = /^[a-z0-9][a-z0-9./_-]{0,199}$/

/** Whether an object may have this name: no empty segment, and none that begins with a dot. */
export const isObjectName = (name: string): boolean =>
  namePattern.test(name) && name.split('/').every((segment) => segment !== '' && !segment.startsWith('.'))

/** Throws DestinationFailure `invalid` for a name that no object may have. */
export const requireObjectName = (name: string): void => {
  if (!isObjectName(name)) throw new DestinationFailure('invalid', 'This isn’t a valid name for a backup object.')
}
