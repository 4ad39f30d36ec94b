/**
 * The form of sealed bytes: `[1 version][4 key number][12 nonce][ciphertext][16 tag]`, AES-256-GCM.
 * The header, the place (`table.column`) and the row's id are associated data: a value moved elsewhere does not open.
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import { freeMemory } from '../memory.ts'
import type { ColumnName, Sealed } from './types.ts'
import { VaultFailure } from './failure.ts'

const version = 1
const headerBytes = 5
const nonceBytes = 12
const tagBytes = 16
/** What sealing adds to the plain bytes. */
export const sealOverhead = headerBytes + nonceBytes + tagBytes

export const sealPlain = (
  key: KeyObject,
  keyNumber: number,
  place: ColumnName,
  rowId: string,
  plain: Uint8Array,
): Sealed => {
  const sealed = new Uint8Array(plain.byteLength + sealOverhead)
  const view = Buffer.from(sealed.buffer)
  view.writeUInt8(version, 0)
  view.writeUInt32BE(keyNumber, 1)
  const nonce = takeNonce()
  nonce.copy(view, headerBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(associated(view.subarray(0, headerBytes), place, rowId))
  const hidden = cipher.update(plain)
  hidden.copy(view, headerBytes + nonceBytes)
  freeMemory(hidden)
  cipher.final()
  cipher.getAuthTag().copy(view, view.length - tagBytes)
  return sealed as Sealed
}

/** Opens sealed bytes with the key that `keyOf` gives for their number. Throws VaultFailure `damaged`. */
export const openSealed = (
  keyOf: (keyNumber: number) => KeyObject | undefined,
  place: ColumnName,
  rowId: string,
  sealed: Uint8Array,
): Buffer => {
  const view = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const key = keyOf(keyNumberOf(sealed))
  if (!key) throw damaged(place)
  const nonce = view.subarray(headerBytes, headerBytes + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(associated(view.subarray(0, headerBytes), place, rowId))
  decipher.setAuthTag(view.subarray(view.length - tagBytes))
  const plain = decipher.update(view.subarray(headerBytes + nonceBytes, view.length - tagBytes))
  try {
    decipher.final()
  } catch {
    // The tag does not fit: another key, another place, or changed bytes. Which of them cannot be known.
    throw damaged(place)
  }
  return plain
}

/** The number of the key that sealed these bytes. Throws VaultFailure `damaged` on what was never sealed. */
export const keyNumberOf = (sealed: Uint8Array): number => {
  if (sealed.byteLength < sealOverhead || sealed[0] !== version) throw damaged('sealed bytes')
  return new DataView(sealed.buffer, sealed.byteOffset, sealed.byteLength).getUint32(1)
}

/** Asking the system for every single nonce costs more than the sealing; each piece of what it gave is used once. */
const takeNonce = (): Buffer => {
  if (unused.length < nonceBytes) unused = randomBytes(nonceBytes * 256)
  const nonce = unused.subarray(0, nonceBytes)
  unused = unused.subarray(nonceBytes)
  return nonce
}
let unused: Buffer = Buffer.alloc(0)

const associated = (header: Uint8Array, place: string, rowId: string): Buffer =>
  Buffer.concat([header, Buffer.from(`${place}\0${rowId}`, 'utf8')])

const damaged = (where: string) =>
  new VaultFailure(
    'damaged',
    `A value of ${where} cannot be opened: it was changed, moved, or sealed with another key.`,
  )
