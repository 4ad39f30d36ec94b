/** Accepts files: each once per scope, stored whole, and queued to be read. */
import { fail } from '../../../platform/http/refusal.ts'
import { typeOf } from '../../../platform/formats/type.ts'
import { contentDigest, scopeDigest } from './digest.ts'
import { failureMessages } from './failures.ts'
import { type ReadingPayload, readingKind } from './kind.ts'
import { type DocumentContext, announceDocument } from '../context.ts'
import { openName, sealName, sealUrl, partitionOf } from '../stores/index.ts'
import type { DocumentRow } from '../tables.ts'

/** Where a file is to go. */
export interface IntakeDestination {
  readonly sessionId: string | null
  readonly collectionId: string | null
}

export interface IncomingFile extends IntakeDestination {
  readonly bytes: Uint8Array
  /** Cleaned. */
  readonly name: string
  readonly mediaType: string
  readonly url: string | null
}

/** Refuses with `chat_not_found`, `collection_not_found` what is not the account's own. */
export const checkDestination = async (
  context: DocumentContext,
  accountId: string,
  { sessionId, collectionId }: IntakeDestination,
): Promise<void> => {
  if (sessionId !== null && collectionId !== null) {
    throw fail('validation_failed', 'A document can belong to a chat or a collection, not both.')
  }
  if (sessionId !== null && !(await context.ownsSession(accountId, sessionId))) throw fail('chat_not_found')
  if (collectionId !== null && !(await context.store.collections.readOwn(accountId, collectionId))) {
    throw fail('collection_not_found')
  }
}

/** Keeps a file and queues its reading, or finds the document that has its bytes. Refuses what cannot be read. */
export const storeFile = async (
  context: DocumentContext,
  accountId: string,
  incoming: IncomingFile,
): Promise<{ row: DocumentRow; deduplicated: boolean }> => {
  const { bytes, name, sessionId, collectionId } = incoming
  if (bytes.byteLength === 0) throw fail('document_empty')
  const type = typeOf(incoming)
  if ('failure' in type) throw fail('document_unsupported', failureMessages[type.failure])
  const content_digest = await contentDigest(context.vault, accountId, bytes)
  const scope = { session_id: sessionId, collection_id: collectionId, content_digest }
  const digest = scopeDigest(context.vault, scope) as string
  const known = await context.store.rows.byDigest(digest)
  if (known) return { row: await wake(context, known), deduplicated: true }

  const keys = await context.vault.keyring(accountId)
  const id = context.clock.id()
  const now = context.clock.now()
  const row: DocumentRow = {
    id,
    account_id: accountId,
    ...scope,
    left_collection_id: null,
    digest,
    revision: 1,
    file_id: null,
    name: sealName(keys, id, name),
    url: incoming.url === null ? null : sealUrl(keys, id, incoming.url),
    file_type: type.fileType,
    media_type: type.mediaType,
    size_bytes: bytes.byteLength,
    ...unread,
    uploaded_at: now,
    updated_at: now,
    deleted_at: null,
  }
  const fileId = await context.files.save(accountId, bytes)
  try {
    for (;;) {
      if (await context.store.rows.insert({ ...row, file_id: fileId })) break
      // Somebody was quicker with the same bytes; unless that is gone again by now, it counts.
      const first = await context.store.rows.byDigest(digest)
      if (!first) continue
      await context.files.remove([fileId])
      return { row: await wake(context, first), deduplicated: true }
    }
    // Its chat or collection may have gone for good meanwhile.
    await checkDestination(context, accountId, incoming).catch(async (error: unknown) => {
      await context.store.rows.deleteRows([id])
      throw error
    })
  } catch (error) {
    // Best effort: the first error says more.
    await context.files.remove([fileId]).catch(() => undefined)
    throw error
  }
  return { row: await queueReading(context, { ...row, file_id: fileId }), deduplicated: false }
}

/** What a document is before it is read. */
const unread = {
  state: 'queued',
  failure_code: null,
  job_id: null,
  content_chars: 0,
  tokens: 0,
  chunks: 0,
  parts: null,
  parts_read: null,
  unread_from: null,
  read_by: null,
  sealed_by: null,
  embedding_state: 'off',
  embedded: 0,
  embedding_model: null,
  chunk_size: 0,
  chunk_overlap: 0,
} as const satisfies Partial<DocumentRow>

/** What is known and could not be read gets another try; it may be possible now. */
const wake = async (context: DocumentContext, row: DocumentRow): Promise<DocumentRow> =>
  row.state === 'failed' ? ((await rereadDocument(context, row)) ?? row) : row

/** Queues the reading of a document; the same job again when it is queued already. */
export const queueReading = async (
  context: DocumentContext,
  row: DocumentRow,
  keepText = false,
  from: number | null = null,
  builtin = false,
): Promise<DocumentRow> => {
  const { id, account_id: accountId, revision } = row
  const payload: ReadingPayload = { documentId: id, revision, keepText, from, builtin }
  const subject = openName(await context.vault.keyring(accountId), row)
  const job = await context.jobs.enqueue(readingKind, payload, { accountId, subject, key: `${id}:${revision}` })
  const queued = await context.store.rows.change(undefined, row, { job_id: job.id })
  await announceDocument(context, row, 'document-changed')
  return queued ?? { ...row, job_id: job.id }
}

export interface RereadOptions {
  readonly values?: Partial<DocumentRow>
  /** Only cuts the stored text again. */
  readonly keepText?: boolean
  /** Adds pages from this one on to the stored text. */
  readonly from?: number | null
  /** Has the built-in reader read its pictures. */
  readonly builtin?: boolean
}

/** Has a document read again; it is not found until that is done. undefined: it is gone, or is being read again already. */
export const rereadDocument = async (
  context: DocumentContext,
  row: DocumentRow,
  { values = {}, keepText = false, from = null, builtin = false }: RereadOptions = {},
): Promise<DocumentRow | undefined> => {
  const now = context.clock.now()
  const fresh = await context.store.write(async (trx) => {
    const changed = await context.store.rows.change(trx, row, {
      ...unread,
      ...(keepText
        ? { parts: row.parts, parts_read: row.parts_read, unread_from: row.unread_from, read_by: row.read_by }
        : {}),
      ...values,
      revision: row.revision + 1,
      updated_at: now,
    })
    if (changed && values.content_digest) {
      await context.store.rows.giveDigest(trx, row.id, scopeDigest(context.vault, changed))
    }
    if (changed && row.state === 'completed') await context.indexes.texts.move([row.id], partitionOf(changed), trx)
    return changed
  })
  if (!fresh) return undefined
  if (row.job_id !== null && (row.state === 'queued' || row.state === 'processing')) {
    await context.jobs.cancel(row.account_id, row.job_id)
  }
  return queueReading(
    context,
    fresh,
    keepText && row.state === 'completed',
    row.state === 'completed' ? from : null,
    builtin,
  )
}
