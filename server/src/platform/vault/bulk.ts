/** Sealing and opening of large content, called on a worker thread. */
import type { BulkTask } from './keyring.ts'
import { openSealed, sealPlain } from './seal.ts'
import type { Sealed } from './types.ts'

export const sealBulk = ({ key, keyNumber, place, rowId, bytes }: BulkTask): Sealed =>
  sealPlain(key, keyNumber, place, rowId, bytes)

export const openBulk = ({ key, keyNumber, place, rowId, bytes }: BulkTask): Uint8Array =>
  openSealed((number) => (number === keyNumber ? key : undefined), place, rowId, bytes)
