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
    summary: 'List transfers offered to you (`in`) or of what you own (`out`), newest first',
    query: PageQuery.extend({ direction: z.enum(['in', 'out']) }),
    returns: page(Transfer),
    errors: ['bad_cursor'],
  },
  offer: {
    method: 'post',
    path: '/api/access/transfers',
    access: 'user',
    limit: 'account',
    summary: 'Offer a resource that you own to another account, for 14 days. Nothing changes until it is accepted',
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
    summary: 'Offer everything that you share to one account',
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
    summary: 'Accept a transfer. In a moment the resource is yours, as its readers see it',
    params: ById,
    returns: Transfer,
    errors: ['transfer_not_found', 'quota_full'],
  },
  end: {
    method: 'delete',
    path: '/api/access/transfers/{id}',
    access: 'user',
    names: 'own',
    summary: 'Decline or withdraw a transfer, even an accepted one that is not complete yet',
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
      'Offer what an account shares to another one that can already read it. What it can’t read stays, so that nobody sees more than before',
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
    summary: 'Withdraw transfers that administrators offered for an account, except those in progress',
    params: ById,
    returns: z.strictObject({ withdrawn: z.number().int() }),
    errors: ['user_not_found'],
  },
})

export const transfersArea = area(transfersDescription, {
  routes: transfersRoutes,
  shapes: { OfferedTransfers, Transfer },
})
