/** By what the same file is known again: keyed digests, which say nothing to who reads the disk. */
import { webcrypto } from 'node:crypto'
import type { Vault } from '../../../platform/vault/types.ts'
import type { DocumentRow } from '../tables.ts'

/** Of the bytes of an account; hashed by a thread of the runtime's own. */
export const contentDigest = async (
  vault: Pick<Vault, 'blindIndex'>,
  accountId: string,
  bytes: Uint8Array,
): Promise<string> => {
  const sha256 = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')
  return vault.blindIndex('documents.content', `${accountId}\0${sha256}`)
}

/** Of the bytes within a chat, a collection, or the rest of the library. */
export const scopeDigest = (
  vault: Pick<Vault, 'blindIndex'>,
  { session_id, collection_id, content_digest }: Pick<DocumentRow, 'session_id' | 'collection_id' | 'content_digest'>,
): string | null =>
  content_digest === null
    ? null
    : vault.blindIndex('documents.digest', `${session_id ?? ''}\0${collection_id ?? ''}\0${content_digest}`)
