/** Rows become what the contract says, and back. */
import type { Collection, Document, DocumentFailure } from '@atrium/contract/documents'
import type { SourceLocation } from '@atrium/contract/generation'
import { openWords } from '../../../platform/stored-json.ts'
import type { Keyring, Sealed, Vault } from '../../../platform/vault/types.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import { failureMessages } from '../ingest/failures.ts'
import type { DocumentCollectionRow, DocumentRow } from '../tables.ts'

/** A piece of a document as it is searched and quoted. Offsets count UTF-16 units of the whole text. */
export interface StoredPassage {
  /** `<document>:<index>`. */
  readonly id: string
  readonly documentId: string
  readonly index: number
  readonly start: number
  readonly end: number
  readonly text: string
  /** Of a table: the names of its columns. */
  readonly head: string | null
  readonly location: SourceLocation | null
}

/** The partition of the indexes that a document is in. One that is not read to its end is in one that no query names. */
export const partitionOf = (
  row: Pick<DocumentRow, 'account_id' | 'session_id' | 'collection_id' | 'state' | 'deleted_at'>,
): string => {
  if (row.deleted_at !== null) return `trash:${row.account_id}`
  const place =
    row.session_id !== null
      ? `session:${row.session_id}`
      : row.collection_id === null
        ? `documents:${row.account_id}`
        : `collection:${row.collection_id}`
  return row.state === 'completed' ? place : `unread:${place}`
}

/** Of the entry in the index of words that holds the name of a document. */
export const nameId = (documentId: string): string => `name:${documentId}`
export const isNameId = (id: string): boolean => id.startsWith('name:')

export const chunkId = (documentId: string, index: number): string => `${documentId}:${index}`

export const sealName = (keys: Keyring, id: string, name: string): Sealed => keys.seal('documents.name', id, name)
export const openName = (keys: Keyring, row: Pick<DocumentRow, 'id' | 'name'>): string =>
  openWords(keys, 'documents.name', row.id, row.name)
export const sealUrl = (keys: Keyring, id: string, url: string): Sealed => keys.seal('documents.url', id, url)
export const openUrl = (keys: Keyring, row: Pick<DocumentRow, 'id' | 'url'>): string | null =>
  row.url === null ? null : keys.open('documents.url', row.id, row.url)
export const sealCollectionName = (keys: Keyring, id: string, name: string): Sealed =>
  keys.seal('document_collections.name', id, name)
export const openCollectionName = (keys: Keyring, row: Pick<DocumentCollectionRow, 'id' | 'name'>): string =>
  openWords(keys, 'document_collections.name', row.id, row.name)

/** A keyed digest of account and name: an account has one live collection of a name. */
export const collectionNameIndex = (vault: Pick<Vault, 'blindIndex'>, accountId: string, name: string): string =>
  vault.blindIndex('document_collections.name', `${accountId}\0${name.normalize('NFKC').toLowerCase()}`)

/** `keys` are the owner's. Others see nothing of the owner's chats and jobs. */
export const rowToDocument = (keys: Keyring, row: DocumentRow, callerId: string, grantCount = 0): Document => {
  const own = row.account_id === callerId
  return {
    id: row.id,
    filename: openName(keys, row),
    fileType: row.file_type as Document['fileType'],
    mediaType: row.media_type,
    size: row.size_bytes,
    sessionId: own ? row.session_id : null,
    collectionId: row.collection_id,
    url: openUrl(keys, row),
    uploadedAt: toIsoTime(row.uploaded_at),
    updatedAt: toIsoTime(row.updated_at),
    processingStatus: row.state,
    processingError: row.failure_code === null ? null : failureMessages[row.failure_code as DocumentFailure],
    processingErrorCode: row.failure_code as DocumentFailure | null,
    jobId: own ? row.job_id : null,
    contentChars: row.content_chars,
    tokens: row.tokens,
    chunks: row.chunks,
    embedding: { state: row.embedding_state, chunks: row.embedded },
    parts: row.parts,
    partsRead: row.parts_read,
    readBy: row.read_by,
    canReadOn: own && row.unread_from !== null,
    shared: !own,
    grantCount: own ? grantCount : null,
  }
}

/** What a caller may know of a collection beside its row. */
export interface CollectionFacts {
  readonly documentCount: number
  readonly ownerName: string | null
  readonly grantCount: number
}

export const rowToCollection = (
  keys: Keyring,
  row: DocumentCollectionRow,
  callerId: string,
  facts: CollectionFacts,
): Collection => {
  const own = row.account_id === callerId
  return {
    id: row.id,
    name: openCollectionName(keys, row),
    createdAt: toIsoTime(row.created_at),
    updatedAt: toIsoTime(row.updated_at),
    documentCount: facts.documentCount,
    shared: !own,
    ownerName: own ? null : facts.ownerName,
    grantCount: own ? facts.grantCount : null,
  }
}
