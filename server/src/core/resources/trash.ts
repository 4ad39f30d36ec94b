/** The trash of a kind whose things keep the time of their deletion in their rows. */
import type { CursorKey } from '../../platform/db/cursor.ts'
import type { Trash } from './resource.ts'

/** The deleted things of a kind, in the database. */
export interface TrashStore<T> {
  /** Own ones, latest deleted first, from a place on. */
  deleted(accountId: string, after: CursorKey | null, limit: number): Promise<readonly T[]>
  readDeleted(accountId: string, id: string): Promise<T | null>
  /** The ids of what was deleted before a time, of all accounts. */
  expired(before: number, limit: number): Promise<string[]>
  /** Deletes for good those of the ids that are in the trash; gives how many. */
  removeDeleted(ids: readonly string[]): Promise<number>
}

const atOnce = 100

/** `restore`: brings one back; false: it is not in the trash any more. */
export const createTrash = <T extends { readonly id: string; readonly deletedAt: number | null }>(
  store: TrashStore<T>,
  { titleOf, restore }: { readonly titleOf: (thing: T) => string; readonly restore: (thing: T) => Promise<boolean> },
): Trash => ({
  async list(accountId, limit, after) {
    const found = await store.deleted(accountId, after, limit)
    return found.map((thing) => ({
      id: thing.id,
      title: titleOf(thing),
      chatId: null,
      deletedAt: thing.deletedAt ?? 0,
    }))
  },
  async restore(accountId, id) {
    const thing = await store.readDeleted(accountId, id)
    return thing !== null && (await restore(thing))
  },
  async remove(accountId, id) {
    return (await store.readDeleted(accountId, id)) !== null && (await store.removeDeleted([id])) > 0
  },
  async removeExpired(before, signal) {
    for (;;) {
      const ids = await store.expired(before, atOnce)
      if (ids.length === 0 || signal.aborted) return
      await store.removeDeleted(ids)
    }
  },
})
