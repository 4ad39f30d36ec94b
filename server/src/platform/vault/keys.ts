/** What is derived from the instance key, and how data keys are wrapped. Each purpose has a key of its own. */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { openSealed, sealPlain } from './seal.ts'

const derive = (key: Buffer | KeyObject, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, 'atrium', purpose, 32))

/** The key of the encrypted SQLite file: 32 bytes. */
export const sqliteKey = (instanceKey: Buffer): Buffer => derive(instanceKey, 'atrium/sqlite')

/** Signs what shows that somebody at the machine asks: see `features/doctor`. */
export const operatorKey = (instanceKey: Buffer): Buffer => derive(instanceKey, 'atrium/operator')

/** Wraps data keys. */
export const wrapKey = (instanceKey: Buffer): KeyObject => createSecretKey(derive(instanceKey, 'atrium/wrap'))

/**
 * Makes blind indexes. It comes from the instance's data key, not from the instance key,
 * so that the indexes stay valid when the instance key is exchanged.
 */
export const indexKey = (instanceDataKey: KeyObject): KeyObject =>
  createSecretKey(derive(instanceDataKey, 'atrium/blind-index'))

/** A data key wrapped for the row that will hold it. `owner` is an account id, or empty for the instance. */
export const wrap = (wrapping: KeyObject, owner: string, number: number, dataKey: Buffer): Uint8Array =>
  sealPlain(wrapping, 0, 'vault_keys.wrapped', `${owner}\0${number}`, dataKey)

/** The data key of a row; throws VaultFailure `damaged` when the wrapping key is not the one that wrapped it. */
export const unwrap = (wrapping: KeyObject, owner: string, number: number, wrapped: Uint8Array): Buffer =>
  openSealed(() => wrapping, 'vault_keys.wrapped', `${owner}\0${number}`, wrapped)
