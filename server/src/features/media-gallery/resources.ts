/** What items are to the rest of the product: how they are found, counted, restored, taken along and removed. */
import type { mediaGalleryArea } from '@atrium/contract/media-gallery'
import type { ResourcesOf, Trash } from '../../core/resources/index.ts'
import { announceItem, type MediaContext } from './context.ts'
import { exportGallery } from './export.ts'
import { createMediaSearch } from './search.ts'
import { openTitle } from './stores/rows.ts'

export const mediaResources = (context: MediaContext): ResourcesOf<typeof mediaGalleryArea> => {
  const { items, sums, vault } = context
  return {
    media: {
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
      async removeAccount(accountId) {
        while (await items.removeSome(accountId, 50));
      },
    },
  }
}

const mediaTrash = (context: MediaContext): Trash => {
  const { items, vault } = context
  return {
    async list(accountId, limit, after) {
      const keys = await vault.keyring(accountId)
      const rows = await items.list({ accountId, trash: true }, after, limit)
      return rows.map((row) => ({
        id: row.id,
        title: openTitle(keys, row),
        chatId: null,
        deletedAt: row.deleted_at ?? 0,
      }))
    },
    async restore(accountId, id) {
      const row = await items.setDeleted(accountId, id, null)
      if (row) await announceItem(context, accountId, id)
      return row !== null
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
