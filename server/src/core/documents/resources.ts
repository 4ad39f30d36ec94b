/** What documents and collections are to the rest of the product: how they are shared, found, counted, taken along and removed. */
import type { documentsArea } from '@atrium/contract/documents'
import { cutPage, decodeCursor } from '../../platform/db/cursor.ts'
import type { ResourcesOf } from '../resources/index.ts'
import { type DocumentContext, announceToAll } from './context.ts'
import { exportDocuments } from './export.ts'
import { removeDocumentsOf } from './maintenance.ts'
import { createDocumentSearch } from './search.ts'
import { collectionPlaces, documentPlaces, openCollectionName, openName, placeOf } from './stores/index.ts'
import { collectionTransfer, detachDocuments, documentTransfer } from './transfer.ts'
import { collectionTrash, documentTrash } from './trash.ts'

export type DocumentResources = ResourcesOf<typeof documentsArea>

export const documentResources = (context: DocumentContext): DocumentResources => ({
  document: {
    missing: 'document_not_found',
    places: documentPlaces,
    within: 'collection',
    async describe(ids) {
      const described = new Map<string, { accountId: string; name: string }>()
      for (const row of await context.store.rows.readMany(ids)) {
        if (row.deleted_at !== null) continue
        described.set(row.id, {
          accountId: row.account_id,
          name: openName(await context.vault.keyring(row.account_id), row),
        })
      }
      return described
    },
    async changed(documentId, accountIds) {
      await announceToAll(context, accountIds, { type: 'document-changed', data: { id: documentId } })
    },
    async list(accountId, limit, cursor) {
      const before = cursor === undefined ? null : decodeCursor(cursor)
      const withoutSessions = await context.temporarySessions(accountId)
      const filter = { accountId, reachable: [], in: 'all', withoutSessions } as const
      const rows = await context.store.rows.list(filter, before, limit + 1)
      const { items, nextCursor } = cutPage(rows, limit, placeOf)
      const keys = await context.vault.keyring(accountId)
      return {
        items: items.map((row) => ({ id: row.id, name: openName(keys, row), updatedAt: row.updated_at })),
        nextCursor,
      }
    },
    search: createDocumentSearch(context),
    trash: documentTrash(context),
    storage: {
      sum: (accountId) => context.store.files.sum(accountId),
      async largest(accountId, limit) {
        const keys = await context.vault.keyring(accountId)
        return (await context.store.files.largest(accountId, limit)).map((row) => ({
          id: row.id,
          name: openName(keys, row),
          bytes: row.size_bytes,
          chatId: row.session_id,
          trashed: row.deleted_at !== null,
        }))
      },
    },
    count: async (accountId) => context.store.rows.count(accountId, await context.temporarySessions(accountId)),
    export: (accountId, signal) => exportDocuments(context, accountId, signal),
    removeAccount: (accountId) => removeDocumentsOf(context, accountId),
    transfer: documentTransfer(context),
    detach: detachDocuments(context),
  },

  collection: {
    missing: 'collection_not_found',
    places: collectionPlaces,
    within: null,
    async describe(ids) {
      const described = new Map<string, { accountId: string; name: string }>()
      for (const row of await context.store.collections.readMany(ids)) {
        const name = openCollectionName(await context.vault.keyring(row.account_id), row)
        described.set(row.id, { accountId: row.account_id, name })
      }
      return described
    },
    async changed(_collectionId, accountIds) {
      await announceToAll(context, accountIds, { type: 'collections-changed', data: {} })
    },
    async list(accountId, limit, cursor) {
      const { items, nextCursor } = await context.store.collections.page(accountId, [], limit, cursor)
      const keys = await context.vault.keyring(accountId)
      const named = items.map((row) => ({ id: row.id, name: openCollectionName(keys, row), updatedAt: row.updated_at }))
      return { items: named, nextCursor }
    },
    trash: collectionTrash(context),
    count: async (accountId) => (await context.store.collections.idsOf(accountId)).length,
    // Their names are in the index of the documents.
    export: null,
    async removeAccount(accountId) {
      await context.access.removeGrants('collection', await context.store.collections.allIds(accountId))
      await context.store.collections.removeAccount(accountId)
    },
    transfer: collectionTransfer(context),
  },
})
