/**
 * The trash of an account: one list over all kinds of things that have a trash. What is deleted waits there for 30 days,
 * can be restored, and is then deleted for good. It holds nothing itself: each kind keeps its own deleted things.
 */
import { trashRoutes as routes } from '@atrium/contract/trash'
import { z } from 'zod'
import { type ResourceRegistry, type Trash, trashKeptMs } from '../../core/resources/index.ts'
import { type CursorKey, cutPage, decodeCursor } from '../../platform/db/cursor.ts'
import { bindRoutes } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { defineJob } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'
import { toIsoTime } from '../../platform/iso-time.ts'

/** The job that deletes for good what has waited long enough; to be enqueued once an hour or so. */
export const trashPurgeJob = 'trash.purge'

const atOnce = 100

export interface TrashDeps extends Pick<Platform, 'clock'> {
  readonly resources: Pick<ResourceRegistry, 'trashed'>
}

export const createTrash = ({ clock, resources }: TrashDeps) => {
  const kinds = resources.trashed

  const purge = defineJob({
    payload: z.strictObject({}),
    attempts: 5,
    timeoutMs: 10 * 60_000,
    priority: 'low',
    async run(_payload, { signal }) {
      for (const { trash } of kinds.values()) await trash.removeExpired(clock.now() - trashKeptMs, signal)
    },
  })

  return bindRoutes({
    name: 'trash',
    routes,
    handlers: {
      async list({ query: { limit, cursor } }, { caller }) {
        const after = cursor === undefined ? null : decodeCursor(cursor)
        const lists = await Promise.all(
          [...kinds].map(async ([kind, { trash }]) =>
            (await trash.list(caller.accountId, limit + 1, after)).map((resource) => ({ ...resource, kind })),
          ),
        )
        const sorted = lists.flat().sort((a, b) => b.deletedAt - a.deletedAt || (a.id < b.id ? 1 : -1))
        const { items, nextCursor } = cutPage(sorted, limit, placeOf)
        return {
          items: items.map(({ id, kind, title, chatId, deletedAt }) => ({
            id,
            kind,
            title,
            chatId,
            deletedAt: toIsoTime(deletedAt),
            expiresAt: toIsoTime(deletedAt + trashKeptMs),
          })),
          nextCursor,
        }
      },

      async restore({ params }, { caller }) {
        for (const { trash } of kinds.values()) if (await trash.restore(caller.accountId, params.id)) return {}
        throw fail('trash_item_not_found')
      },

      async remove({ params }, { caller }) {
        for (const { trash } of kinds.values()) if (await trash.remove(caller.accountId, params.id)) return {}
        throw fail('trash_item_not_found')
      },

      async empty(_input, { caller }) {
        let removed = 0
        for (const { trash } of kinds.values()) removed += await emptyOf(trash, caller.accountId)
        return { removed }
      },
    },
    jobs: { [trashPurgeJob]: purge },
  })
}

/** How many were removed; what cannot be is passed over. */
const emptyOf = async (trash: Trash, accountId: string): Promise<number> => {
  let removed = 0
  for (let after: CursorKey | null = null; ; ) {
    const items = await trash.list(accountId, atOnce, after)
    for (const { id } of items) if (await trash.remove(accountId, id)) removed += 1
    const last = items.at(-1)
    if (!last || items.length < atOnce) return removed
    after = placeOf(last)
  }
}

const placeOf = ({ deletedAt, id }: { readonly deletedAt: number; readonly id: string }): CursorKey => ({
  time: deletedAt,
  id,
})
