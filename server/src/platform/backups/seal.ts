/**
 * The form of every object of a backup: `ATRB`, version 1, 12 bytes of nonce, AES-256-GCM ciphertext, tag. Its whole name
 * is associated data, so nothing opens under another name. Inside: the length of the content, the content, and zeros up
 * to a length that many contents share.
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import { BackupFailure } from './failure.ts'
import { freeMemory } from '../memory.ts'

const head = Buffer.from('ATRB\u0001', 'latin1')
const nonceBytes = 12
const tagBytes = 16
const lengthBytes = 4

/** The pieces are one content, in order. */
export const sealObject = (key: KeyObject, name: string, ...pieces: readonly Uint8Array[]): Uint8Array => {
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
  const padded = paddedLength(lengthBytes + length)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(associated(name))
  // Of its own memory, so that it can be handed to another thread; allocated once.
  const sealed = Buffer.from(new ArrayBuffer(sealedLength(length)))
  let at = 0
  const append = (bytes: Uint8Array): void => {
    sealed.set(bytes, at)
    at += bytes.byteLength
  }
  const prefix = Buffer.alloc(lengthBytes)
  prefix.writeUInt32BE(length)
  append(head)
  append(nonce)
  for (const piece of [prefix, ...pieces, Buffer.alloc(padded - lengthBytes - length)]) {
    const part = cipher.update(piece)
    append(part)
    freeMemory(part)
  }
  append(cipher.final())
  append(cipher.getAuthTag())
  return sealed
}

/** The content. Throws BackupFailure `damaged`. */
export const openObject = (key: KeyObject, name: string, bytes: Uint8Array): Buffer => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = head.length + nonceBytes
  if (view.length < start + lengthBytes + tagBytes || !view.subarray(0, head.length).equals(head)) throw damaged(name)
  const decipher = createDecipheriv('aes-256-gcm', key, view.subarray(head.length, start), { authTagLength: tagBytes })
  decipher.setAAD(associated(name))
  decipher.setAuthTag(view.subarray(view.length - tagBytes))
  const plain = decipher.update(view.subarray(start, view.length - tagBytes))
  try {
    decipher.final()
  } catch {
    // The tag does not fit; which of the reasons it is cannot be known.
    throw damaged(name)
  }
  const length = plain.readUInt32BE()
  if (length > plain.length - lengthBytes) throw damaged(name)
  return plain.subarray(lengthBytes, lengthBytes + length)
}

/** How long the sealed form of a content is. */
export const sealedLength = (length: number): number =>
  head.length + nonceBytes + paddedLength(lengthBytes + length) + tagBytes

/** Padmé: at most 12 % more, and few different lengths. */
export const paddedLength = (length: number): number => {
  if (length < 2) return 2
  const exponent = Math.floor(Math.log2(length))
  const kept = Math.floor(Math.log2(exponent)) + 1
  const unit = 2 ** Math.max(0, exponent - kept)
  return Math.ceil(length / unit) * unit
}

const associated = (name: string): Buffer => Buffer.concat([head, Buffer.from(name, 'utf8')])

const damaged = (name: string) =>
  new BackupFailure(
    'damaged',
    `${name} cannot be opened: it was changed, cut off, renamed or encrypted with another key.`,
  )
