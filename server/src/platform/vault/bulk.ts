/** Sealing and opening of large content, called on a worker thread. */
import type { KeyObject } from 'node:crypto'
import { openSealed, sealPlain } from './seal.ts'
import type { ColumnName, Sealed } from './types.ts'

/** What a worker thread is handed; keys are passed as handles. */
export interface BulkTask {
  readonly key: KeyObject
  readonly keyNumber: number
  readonly place: ColumnName
  readonly rowId: string
  readonly bytes: Uint8Array
}

export const sealBulk = ({ key, keyNumber, place, rowId, bytes }: BulkTask): Sealed =>
  sealPlain(key, keyNumber, place, rowId, bytes)

export const openBulk = ({ key, keyNumber, place, rowId, bytes }: BulkTask): Uint8Array =>
  openSealed((number) => (number === keyNumber ? key : undefined), place, rowId, bytes)
