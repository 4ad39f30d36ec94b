/**
 * Support access: an administrator reads what an account has, for a reason, until an end. The owner is told, sees what
 * was opened, and it stays in the audit.
 */
import { z } from 'zod'
import { Proof } from '../accounts/proof.ts'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { ResourceType } from '../resources.ts'
import { routes } from '../route.ts'

const Person = z.strictObject({ id: Id, name: z.string() })

export const BreakGlass = z.strictObject({
  id: Id,
  /** Who looks. The name is empty when that account is gone. */
  administrator: Person,
  /** Whose things are looked at. */
  account: Person,
  reason: z.string(),
  startedAt: Time,
  expiresAt: Time,
  /** When it ended before its time. */
  endedAt: Time.nullable(),
  /** Whether it holds now. */
  active: z.boolean(),
  /** Whether its owner has said that this was read. */
  seen: z.boolean(),
  /** How many things were opened. */
  openedCount: z.number().int(),
})
export type BreakGlass = z.infer<typeof BreakGlass>

/** What was opened by it. */
export const BreakGlassUse = z.strictObject({
  resourceType: ResourceType,
  /** null: the names of everything of this kind. */
  resourceId: Id.nullable(),
  /** For its owner; null for everybody else, and for what is gone. */
  name: z.string().nullable(),
  openedAt: Time,
})
export type BreakGlassUse = z.infer<typeof BreakGlassUse>

const ById = z.strictObject({ id: Id })

export const breakGlassRoutes = routes({
  startBreakGlass: {
    method: 'post',
    path: '/api/access/break-glass',
    access: 'admin',
    limit: 'account',
    summary:
      'Start support access to an account, with a reason and an end time. Needs a fresh proof and a session; the owner is notified at once',
    body: Proof.extend({
      accountId: Id,
      reason: z.string().trim().min(10).max(500),
      hours: z.number().int().min(1).max(24),
    }),
    returns: BreakGlass,
    errors: ['user_not_found', 'proof_needed', 'wrong_password', 'wrong_code', 'break_glass_open'],
  },
  breakGlass: {
    method: 'get',
    path: '/api/access/break-glass',
    access: 'user',
    summary: 'List support access to your account, newest first. With `about=everybody`, administrators get all of it',
    query: PageQuery.extend({ about: z.enum(['me', 'everybody']).default('me'), accountId: Id.optional() }),
    returns: page(BreakGlass),
    errors: ['forbidden', 'bad_cursor'],
  },
  breakGlassUses: {
    method: 'get',
    path: '/api/access/break-glass/{id}/uses',
    access: 'user',
    names: 'own',
    summary: 'List what was opened during support access, newest first, as the owner or an administrator',
    params: ById,
    query: PageQuery.omit({ cursor: true }),
    returns: z.strictObject({ items: z.array(BreakGlassUse), nextCursor: z.null() }),
    errors: ['break_glass_not_found'],
  },
  breakGlassThings: {
    method: 'get',
    path: '/api/access/break-glass/{id}/things',
    access: 'admin',
    names: 'own',
    summary: 'List what you can open during your support access, for as long as it lasts',
    params: ById,
    query: PageQuery.extend({ type: ResourceType }),
    returns: page(z.strictObject({ id: Id, name: z.string(), updatedAt: Time })),
    errors: ['break_glass_not_found', 'bad_cursor'],
  },
  seenBreakGlass: {
    method: 'post',
    path: '/api/access/break-glass/{id}/seen',
    access: 'user',
    names: 'own',
    summary: 'Mark a support access notice as read',
    params: ById,
    returns: Nothing,
    errors: ['break_glass_not_found'],
  },
  endBreakGlass: {
    method: 'delete',
    path: '/api/access/break-glass/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'End support access early. Any administrator can do this',
    params: ById,
    returns: Nothing,
    errors: ['break_glass_not_found'],
  },
})
