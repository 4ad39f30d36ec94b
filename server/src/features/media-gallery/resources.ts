/** What items are to the rest of the product: how they are found, counted, restored, taken along and removed. */
import type { mediaGalleryArea } from '@atrium/contract/media-gallery'
import type { ResourcesOf, Trash } from '../../core/resources/index.ts'
import { cutPage, decodeCursor } from '../../platform/db/cursor.ts'
import { announceItem, type MediaContext } from './context.ts'
import { mediaPlaces } from './stores/items.ts'
import { exportGallery } from './export.ts'
import { createMediaSearch } from './search.ts'
import { placeOf } from './stores/listing.ts'
import { openTitle } from './stores/rows.ts'

export const mediaResources = (context: MediaContext): ResourcesOf<typeof mediaGalleryArea> => {
  const { albums, items, listing, sums, vault } = context
  return {
    media: {
      missing: 'media_not_found',
      places: mediaPlaces,
      within: null,
      async describe(ids) {
        const rows = await items.readAny(ids)
        const described = rows.map(async (row) => {
          const keys = await vault.keyring(row.account_id)
          return [row.id, { accountId: row.account_id, name: openTitle(keys, row) }] as const
        })
        return new Map(await Promise.all(described))
      },
      // Nobody is given a right to one, so that only its owner can be told.
      async changed(id, accountIds) {
        for (const accountId of accountIds) await announceItem(context, accountId, id)
      },
      async list(accountId, limit, cursor) {
        const after = cursor === undefined ? null : decodeCursor(cursor)
        const { items: rows, nextCursor } = cutPage(await listing.list({ accountId }, after, limit + 1), limit, placeOf)
        const keys = await vault.keyring(accountId)
        return {
          items: rows.map((row) => ({ id: row.id, name: openTitle(keys, row), updatedAt: row.updated_at })),
          nextCursor,
        }
      },
      search: createMediaSearch(context),
      trash: mediaTrash(context),
      storage: {
        sum: (accountId) => sums.sum(accountId),
        async largest(accountId, limit) {
          const keys = await vault.keyring(accountId)
          return (await sums.largest(accountId, limit)).map((row) => ({
            id: row.id,
            name: openTitle(keys, row),
            bytes: row.size_bytes,
            chatId: null,
            trashed: row.deleted_at !== null,
          }))
        },
      },
      count: (accountId) => sums.count(accountId),
      export: (accountId, signal) => exportGallery(context, accountId, signal),
      transfer: { never: 'The gallery is its owner’s alone.' },
      async removeAccount(accountId) {
        while (await items.removeSome(accountId, 50));
        await albums.removeAccount(accountId)
      },
    },
  }
}

const mediaTrash = (context: MediaContext): Trash => {
  const { items, listing, vault } = context
  return {
    async list(accountId, limit, after) {
      const keys = await vault.keyring(accountId)
      const rows = await listing.list({ accountId, trash: true }, after, limit)
      return rows.map((row) => ({
        id: row.id,
        title: openTitle(keys, row),
        chatId: null,
        deletedAt: row.deleted_at ?? 0,
      }))
    },
    async restore(accountId, id) {
      const moved = await items.setDeleted(accountId, [id], null)
      if (moved.length > 0) await announceItem(context, accountId, id)
      return moved.length > 0
    },
    remove: (accountId, id) => items.removeDeleted(accountId, id),
    async removeExpired(before, signal) {
      while (!signal.aborted) {
        const rows = await items.expired(before, 50)
        if (rows.length === 0) return
        for (const { id, account_id } of rows) await items.removeDeleted(account_id, id)
      }
    },
  }
}
