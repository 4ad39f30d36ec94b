/** The trash of an account: deleted things of every kind that has a trash, which wait there for 30 days. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { trashedKinds } from '../resources.ts'
import { routes } from '../route.ts'
import { trashDescription } from './area.ts'

export const TrashedKind = z.enum(trashedKinds)
export type TrashedKind = z.infer<typeof TrashedKind>

export const TrashEntry = z.strictObject({
  /** Of the thing that was deleted. */
  id: Id,
  kind: TrashedKind,
  /** Its name; of a message its first words. */
  title: z.string(),
  /** The chat of a message, and of a document that belongs to a chat. */
  chatId: Id.nullable(),
  deletedAt: Time,
  /** When it is deleted for good. */
  expiresAt: Time,
})
export type TrashEntry = z.infer<typeof TrashEntry>

const ById = z.strictObject({ id: Id })

export const trashRoutes = routes({
  list: {
    method: 'get',
    path: '/api/trash',
    access: 'user',
    summary: 'List everything deleted in the last 30 days, newest first',
    query: PageQuery,
    returns: page(TrashEntry),
    errors: ['bad_cursor'],
  },
  restore: {
    method: 'post',
    path: '/api/trash/{id}/restore',
    access: 'user',
    names: 'own',
    summary: 'Restore something from the trash to where it was, as far as that place still exists',
    params: ById,
    returns: Nothing,
    errors: ['trash_item_not_found', 'conflict'],
  },
  remove: {
    method: 'delete',
    path: '/api/trash/{id}',
    access: 'user',
    names: 'own',
    summary: 'Delete something in the trash permanently',
    params: ById,
    returns: Nothing,
    errors: ['trash_item_not_found'],
  },
  empty: {
    method: 'delete',
    path: '/api/trash',
    access: 'user',
    summary: 'Empty the trash. Everything in it is deleted permanently',
    returns: z.strictObject({ removed: z.number().int() }),
  },
})

export const trashArea = area(trashDescription, { routes: trashRoutes, shapes: { TrashEntry } })
