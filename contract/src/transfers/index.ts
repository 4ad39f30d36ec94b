/**
 * Transfers of ownership: a thing is offered to another account, which accepts it or not. Nobody is given
 * anything unasked. */
import { area } from '../area.ts'
import { transfersDescription } from './area.ts'
import { z } from 'zod'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { ResourceType, transferableKinds } from '../resources.ts'
import { routes } from '../route.ts'

/** What the former owner may still do with it. */
export const KeptRight = z.enum(['read', 'write'])
export type KeptRight = z.infer<typeof KeptRight>

const Party = z.strictObject({ id: Id, name: z.string(), avatar: z.string().nullable() })

export const Transfer = z.strictObject({
  id: Id,
  resourceType: ResourceType,
  resourceId: Id,
  name: z.string(),
  /** What it takes of the room of its owner. */
  bytes: z.number().int(),
  from: Party,
  to: Party,
  /** Whether an administrator offers it, for an account that is going to be deleted. */
  byAdministrator: z.boolean(),
  /** null: nothing. */
  keeps: KeptRight.nullable(),
  /** `offered`: the recipient decides. `accepted`: it is on its way. */
  state: z.enum(['offered', 'accepted']),
  /** Why it could not be done when it was accepted last. */
  failure: z.enum(['busy', 'no-room', 'limit', 'failed']).nullable(),
  createdAt: Time,
  /** When the offer ends by itself. */
  expiresAt: Time,
})
export type Transfer = z.infer<typeof Transfer>

/** So long an offer waits. */
export const transferDays = 14

const ById = z.strictObject({ id: Id })

/** How many things were offered, and how many could not be. */
export const OfferedTransfers = z.strictObject({ offered: z.number().int(), left: z.number().int() })

export const transfersRoutes = routes({
  list: {
    method: 'get',
    path: '/api/access/transfers',
    access: 'user',
    summary: 'Offers that wait for the caller (`in`), or of what the caller owns (`out`), newest first',
    query: PageQuery.extend({ direction: z.enum(['in', 'out']) }),
    returns: page(Transfer),
    errors: ['bad_cursor'],
  },
  offer: {
    method: 'post',
    path: '/api/access/transfers',
    access: 'user',
    limit: 'account',
    summary: 'Offer a thing that one owns to another account, for 14 days; nothing changes until that one accepts',
    body: z.strictObject({
      resourceType: z.enum(transferableKinds),
      resourceId: Id,
      toAccountId: Id,
      keeps: KeptRight.nullable().default(null),
    }),
    returns: Transfer,
    errors: ['not_transferable', 'transfer_recipient_not_found', 'transfer_open'],
  },
  offerAll: {
    method: 'post',
    path: '/api/access/transfers/all',
    access: 'user',
    limit: 'account',
    summary: 'Offer everything that one shares with others to one account',
    body: z.strictObject({ toAccountId: Id, keeps: KeptRight.nullable().default(null) }),
    returns: OfferedTransfers,
    errors: ['transfer_recipient_not_found'],
  },
  accept: {
    method: 'post',
    path: '/api/access/transfers/{id}/accept',
    access: 'user',
    names: 'own',
    limit: 'account',
    status: 202,
    summary: 'Accept an offer: the thing becomes one’s own, as its readers see it, in a moment',
    params: ById,
    returns: Transfer,
    errors: ['transfer_not_found', 'quota_full'],
  },
  end: {
    method: 'delete',
    path: '/api/access/transfers/{id}',
    access: 'user',
    names: 'own',
    summary: 'Decline an offer, or take one back; also after it was accepted, as long as it is not done',
    params: ById,
    returns: Nothing,
    errors: ['transfer_not_found'],
  },
  offerOf: {
    method: 'post',
    path: '/api/users/{id}/transfers',
    access: 'admin',
    names: 'instance',
    proof: true,
    summary:
      'Offer what an account shares to another one that can read it already; what that one cannot read stays, so that nobody sees more by it',
    params: ById,
    body: z.strictObject({ toAccountId: Id }),
    returns: OfferedTransfers,
    errors: ['user_not_found', 'own_account', 'transfer_recipient_not_found'],
  },
  endOf: {
    method: 'delete',
    path: '/api/users/{id}/transfers',
    access: 'admin',
    names: 'instance',
    summary: 'Withdraw what administrators offered of an account, but for what is on its way',
    params: ById,
    returns: z.strictObject({ withdrawn: z.number().int() }),
    errors: ['user_not_found'],
  },
})

export const transfersArea = area(transfersDescription, {
  routes: transfersRoutes,
  shapes: { OfferedTransfers, Transfer },
})
