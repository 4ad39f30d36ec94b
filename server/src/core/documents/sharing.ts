/** How documents answer to sharing, one by one. */
import { cutPage, decodeCursor } from '../../platform/db/cursor.ts'
import type { Owner } from '../access/index.ts'
import { type DocumentContext, announceToAll } from './context.ts'
import { documentPlaces, openName, placeOf as placeOfRow } from './stores/index.ts'

export const documentOwner = (context: Pick<DocumentContext, 'store' | 'vault' | 'announce'>): Owner => ({
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
  async listOf(accountId, limit, cursor) {
    const before = cursor === undefined ? null : decodeCursor(cursor)
    const rows = await context.store.rows.list({ accountId, reachable: [], in: 'all' }, before, limit + 1)
    const { items, nextCursor } = cutPage(rows, limit, placeOfRow)
    const keys = await context.vault.keyring(accountId)
    return {
      items: items.map((row) => ({ id: row.id, name: openName(keys, row), updatedAt: row.updated_at })),
      nextCursor,
    }
  },
  async changed(documentId, accountIds) {
    await announceToAll(context, accountIds, { type: 'document-changed', data: { id: documentId } })
  },
})
