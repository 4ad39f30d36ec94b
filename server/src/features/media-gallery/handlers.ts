/** Items as their owner sees and changes them. */
import type { MediaItem, mediaGalleryRoutes } from '@atrium/contract/media-gallery'
import { cutPage, decodeCursor } from '../../platform/db/cursor.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { announceItem, type MediaContext } from './context.ts'
import { placeOf } from './stores/items.ts'
import { openPrompt, rowToItem, sealAlt, sealTitle } from './stores/rows.ts'
import type { MediaItemRow } from './tables.ts'

/** So many hits of a search are put in order of time. */
const mostHits = 1000

export const itemHandlers = (
  context: MediaContext,
): Handlers<Pick<typeof mediaGalleryRoutes, 'list' | 'read' | 'update' | 'remove'>> => {
  const { clock, items, vault } = context
  return {
    async list({ query: { limit, cursor, q, from, to, sort, trash = false, ...only } }, { caller: { accountId } }) {
      const after = cursor === undefined ? null : decodeCursor(cursor)
      const where = { account_id: accountId, deleted_at: trash ? 0 : null }
      const rows = await items.list(
        {
          accountId,
          kind: only.kind,
          model: only.model,
          favourite: only.favourite,
          from: from === undefined ? undefined : Date.parse(from),
          to: to === undefined ? undefined : Date.parse(to),
          oldestFirst: sort === 'oldest',
          trash,
          ids: q === undefined || q === '' ? undefined : await items.find(where, q, mostHits),
        },
        after,
        limit + 1,
      )
      const { items: shown, nextCursor } = cutPage(rows, limit, placeOf)
      return { items: await toItems(context, accountId, shown), nextCursor }
    },

    read: async ({ params }, { caller }) =>
      await toOneItem(context, await findLive(context, caller.accountId, params.mediaId)),

    async update({ params, body }, { caller: { accountId } }) {
      const before = await findLive(context, accountId, params.mediaId)
      const keys = await vault.keyring(accountId)
      const values: Partial<MediaItemRow> = { updated_at: clock.now() }
      if (body.title !== undefined) values.title = sealTitle(keys, before.id, body.title)
      if (body.alt !== undefined) values.alt = sealAlt(keys, before.id, body.alt)
      if (body.favourite !== undefined) values.favourite = body.favourite ? 1 : 0
      const words = body.title === undefined ? null : { title: body.title, prompt: openPrompt(keys, before) }
      const row = await items.change(before, values, words)
      if (!row) throw fail('media_not_found')
      await announceItem(context, accountId, row.id)
      return await toOneItem(context, row)
    },

    async remove({ params }, { caller: { accountId } }) {
      if (!(await items.setDeleted(accountId, params.mediaId, clock.now()))) throw fail('media_not_found')
      await announceItem(context, accountId, params.mediaId)
      return {}
    },
  }
}

/** An own item that is not in the trash. Refuses with `media_not_found`. */
export const findLive = async ({ items }: MediaContext, accountId: string, id: string): Promise<MediaItemRow> => {
  const row = await items.readOwn(accountId, id)
  if (!row || row.deleted_at !== null) throw fail('media_not_found')
  return row
}

/** Rows as their owner sees them. */
export const toItems = async (
  { items, vault }: MediaContext,
  accountId: string,
  rows: readonly MediaItemRow[],
): Promise<MediaItem[]> => {
  const [keys, sources] = await Promise.all([vault.keyring(accountId), items.sourcesOf(rows.map(({ id }) => id))])
  return rows.map((row) => rowToItem(keys, row, sources.get(row.id) ?? []))
}

const toOneItem = async (context: MediaContext, row: MediaItemRow): Promise<MediaItem> => {
  const [item] = await toItems(context, row.account_id, [row])
  if (!item) throw fail('media_not_found')
  return item
}
