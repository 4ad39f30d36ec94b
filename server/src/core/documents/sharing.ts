/** How documents answer to sharing, one by one. */
import { cutPage, decodeCursor } from '../../platform/db/cursor.ts'
import type { Owner, Place } from '../access/index.ts'
import { type Room, tellAll } from './room.ts'
import { openName, placeOf as placeOfRow } from './store/index.ts'
import type { DocumentRow } from './tables.ts'

type Placed = Pick<DocumentRow, 'account_id' | 'session_id' | 'collection_id' | 'deleted_at'>

/**
 * A document lies in its collection, and who may read that may read it. One of a chat does not come with the chat: who
 * reads a chat sees the passages that answers quote, not the files. In the trash it is its owner's alone.
 */
const placeOf = ({ account_id: ownerId, session_id: chat, collection_id: collection, deleted_at }: Placed): Place => ({
  ownerId,
  within: chat === null && collection !== null ? [{ type: 'collection', id: collection }] : [],
  shown: deleted_at === null,
})

export const documentOwner = (room: Pick<Room, 'store' | 'vault' | 'announce'>): Owner => ({
  missing: 'document_not_found',
  async placesOf(ids) {
    return new Map((await room.store.rows.places(ids)).map((row) => [row.id, placeOf(row)]))
  },
  async describe(ids) {
    const described = new Map<string, { accountId: string; name: string }>()
    for (const row of await room.store.rows.many(ids)) {
      if (row.deleted_at !== null) continue
      described.set(row.id, {
        accountId: row.account_id,
        name: openName(await room.vault.keyring(row.account_id), row),
      })
    }
    return described
  },
  async listOf(accountId, limit, cursor) {
    const before = cursor === undefined ? null : decodeCursor(cursor)
    const rows = await room.store.rows.list({ accountId, reachable: [], in: 'all' }, before, limit + 1)
    const { items, nextCursor } = cutPage(rows, limit, placeOfRow)
    const keys = await room.vault.keyring(accountId)
    return {
      items: items.map((row) => ({ id: row.id, name: openName(keys, row), updatedAt: row.updated_at })),
      nextCursor,
    }
  },
  async changed(documentId, accountIds) {
    await tellAll(room, accountIds, { type: 'document-changed', data: { id: documentId } })
  },
})
