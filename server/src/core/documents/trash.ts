/** Documents and collections in the trash: moved there, restored, and deleted for good. */
import { fail } from '../../platform/http/refusal.ts'
import type { Trash } from '../resources/index.ts'
import { announceCollection, announceDocument, announceToAll, type DocumentContext } from './context.ts'
import { scopeDigest } from './ingest/digest.ts'
import { rereadDocument } from './ingest/intake.ts'
import { purgeDocuments, stopReading } from './maintenance.ts'
import { collectionNameIndex, openCollectionName, openName, partitionOf } from './stores/index.ts'
import type { DocumentCollectionRow, DocumentRow } from './tables.ts'

/** So many documents change their place in one transaction, so that nobody else who writes waits for a large collection. */
const atOnce = 100

/** Moves an own document to the trash. Refuses with `document_not_found`. */
export const trashDocument = async (context: DocumentContext, accountId: string, id: string): Promise<void> => {
  const now = context.clock.now()
  const row = await context.store.write(async (trx) => {
    const deleted = await context.store.rows.setDeleted(trx, accountId, id, now, now)
    if (!deleted) throw fail('document_not_found')
    await context.indexes.texts.move([deleted.id], partitionOf(deleted), trx)
    return deleted
  })
  if (row.state !== 'completed') await stopReading(context, row)
  await announceDocument(context, row, 'document-removed')
  if (row.collection_id !== null) await announceCollection(context, row.account_id, row.collection_id)
}

/** Brings an own document back to where it was; null: there is none of this id in the trash. */
export const restoreDocument = async (
  context: DocumentContext,
  accountId: string,
  id: string,
): Promise<DocumentRow | null> => {
  const { store } = context
  const deleted = await store.rows.readOwn(accountId, id, { deleted: true })
  if (!deleted) return null
  // Its chat may be gone for good; then it comes back into the library.
  const inChat = deleted.session_id !== null && (await context.ownsSession(accountId, deleted.session_id))
  const row = await store.write(async (trx) => {
    const back = await store.rows.setDeleted(trx, accountId, deleted.id, null, context.clock.now())
    if (!back) return null
    const place = inChat ? back : await store.rows.change(trx, back, { session_id: null })
    if (!place) return null
    await store.rows.giveDigest(trx, place.id, scopeDigest(context.vault, place))
    await context.indexes.texts.move([place.id], partitionOf(place), trx)
    return place
  })
  if (!row) return null
  // Its reading was stopped when it was deleted.
  const unfinished = row.state === 'queued' || row.state === 'processing'
  const current = unfinished ? ((await rereadDocument(context, row)) ?? row) : row
  await announceDocument(context, row, 'document-changed')
  if (row.collection_id !== null) await announceCollection(context, row.account_id, row.collection_id)
  return current
}

/** The deleted documents of accounts. */
export const documentTrash = (context: DocumentContext): Trash => ({
  async list(accountId, limit, after) {
    const keys = await context.vault.keyring(accountId)
    const without = await context.temporarySessions(accountId)
    const rows = await context.store.rows.deleted(accountId, without, after, limit)
    return rows.map((row) => ({
      id: row.id,
      title: openName(keys, row),
      chatId: row.session_id,
      deletedAt: row.deleted_at ?? 0,
    }))
  },
  restore: async (accountId, id) => (await restoreDocument(context, accountId, id)) !== null,
  async remove(accountId, id) {
    const row = await context.store.rows.claimDeleted(accountId, id)
    if (row) await purgeDocuments(context, [row])
    return row !== null
  },
  async removeExpired(before, signal) {
    while (!signal.aborted) {
      const rows = await context.store.rows.gone({ before }, 50)
      if (rows.length === 0) return
      await purgeDocuments(context, rows)
    }
  },
})

/**
 * Moves an own collection to the trash: its documents go to the library and are shared with nobody through it any more.
 * Refuses with `collection_not_found`.
 */
export const trashCollection = async (context: DocumentContext, accountId: string, id: string): Promise<void> => {
  const { store } = context
  const readers = await context.access.listReaders('collection', id)
  if (!(await store.collections.readOwn(accountId, id))) throw fail('collection_not_found')
  const documents: DocumentRow[] = []
  for (let empty = false; !empty; ) {
    const rows = await store.write(async (trx) => {
      const some = await store.rows.inCollection(trx, id, atOnce)
      for (const row of some) await place(context, trx, { ...row, collection_id: null, left_collection_id: id })
      if (some.length < atOnce && !(await store.collections.trash(trx, accountId, id, context.clock.now())))
        throw fail('collection_not_found')
      return some
    })
    documents.push(...rows.filter((row) => row.deleted_at === null))
    empty = rows.length < atOnce
  }
  await announceToAll(context, [accountId, ...readers], { type: 'collections-changed', data: {} })
  for (const row of documents) {
    await context.announce(accountId, { type: 'document-changed', data: { id: row.id } })
    await announceToAll(context, readers, { type: 'document-removed', data: { id: row.id } })
  }
}

/** The deleted collections of accounts. */
export const collectionTrash = (context: DocumentContext): Trash => ({
  async list(accountId, limit, after) {
    const keys = await context.vault.keyring(accountId)
    const rows = await context.store.collections.deleted(accountId, after, limit)
    return rows.map((row) => ({
      id: row.id,
      title: openCollectionName(keys, row),
      chatId: null,
      deletedAt: row.deleted_at ?? 0,
    }))
  },
  async restore(accountId, id) {
    const { store } = context
    const row = await store.collections.ownDeleted(accountId, id)
    if (!row) return false
    const name = openCollectionName(await context.vault.keyring(accountId), row)
    const nameIndex = collectionNameIndex(context.vault, accountId, name)
    if (await store.collections.hasName(nameIndex))
      throw fail('conflict', 'A collection with this name already exists. Rename it first.')
    const documents: DocumentRow[] = []
    for (let empty = false; !empty; ) {
      const rows = await store.write(async (trx) => {
        const some = await store.rows.leftCollection(trx, id, atOnce)
        for (const document of some)
          await place(context, trx, { ...document, collection_id: id, left_collection_id: null })
        if (some.length < atOnce && !(await store.collections.restore(trx, accountId, id, nameIndex)))
          throw fail('conflict', 'This collection was restored or deleted permanently in the meantime.')
        return some
      })
      documents.push(...rows.filter((document) => document.deleted_at === null))
      empty = rows.length < atOnce
    }
    await announceCollection(context, accountId, id)
    for (const document of documents)
      await announceDocument(context, { ...document, collection_id: id }, 'document-changed')
    return true
  },
  remove: (accountId, id) => removeCollections(context, [{ id, account_id: accountId }]),
  async removeExpired(before, signal) {
    while (!signal.aborted) {
      const rows = await context.store.collections.expired(before, 50)
      if (rows.length === 0) return
      await removeCollections(context, rows)
    }
  },
})

/** Whether any of them was still in the trash. */
const removeCollections = (
  context: DocumentContext,
  rows: readonly Pick<DocumentCollectionRow, 'id' | 'account_id'>[],
): Promise<boolean> =>
  context.store.write(async (trx) => {
    let removed = false
    for (const { id, account_id } of rows) {
      if (!(await context.store.collections.removeDeleted(trx, account_id, id))) continue
      await context.access.removeGrants('collection', [id], trx)
      removed = true
    }
    return removed
  })

/** Puts a document elsewhere, deleted or not; its passages go with it. */
const place = async (
  context: DocumentContext,
  trx: Parameters<Parameters<DocumentContext['store']['write']>[0]>[0],
  row: DocumentRow,
): Promise<void> => {
  await context.store.rows.setPlace(trx, row)
  if (row.deleted_at === null) await context.store.rows.giveDigest(trx, row.id, scopeDigest(context.vault, row))
  await context.indexes.texts.move([row.id], partitionOf(row), trx)
}
