/** The instance itself: events for open pages. */
import { z } from 'zod'
import { routes } from './route.ts'

/** Something of the account changed; pages load it again by id. No content travels here. */
export const AccountEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('chat-changed'), data: z.strictObject({ id: z.string() }) }),
  z.strictObject({ type: z.literal('chat-removed'), data: z.strictObject({ id: z.string() }) }),
  z.strictObject({ type: z.literal('folders-changed'), data: z.strictObject({}) }),
  /** A chat of somebody else that the account may read has changed. */
  z.strictObject({ type: z.literal('shared-chat-changed'), data: z.strictObject({ id: z.string() }) }),
  /** What others share with the account is more, less, or called otherwise. */
  z.strictObject({ type: z.literal('shared-changed'), data: z.strictObject({}) }),
  z.strictObject({ type: z.literal('document-changed'), data: z.strictObject({ id: z.string() }) }),
  z.strictObject({ type: z.literal('document-removed'), data: z.strictObject({ id: z.string() }) }),
  z.strictObject({ type: z.literal('collections-changed'), data: z.strictObject({}) }),
  /** An administrator began or ended to look into what the account has, or the account's own look began or ended. */
  z.strictObject({ type: z.literal('support-access-changed'), data: z.strictObject({}) }),
  z.strictObject({ type: z.literal('models-changed'), data: z.strictObject({}) }),
  z.strictObject({ type: z.literal('preferences-changed'), data: z.strictObject({}) }),
  z.strictObject({ type: z.literal('job-changed'), data: z.strictObject({ id: z.string() }) }),
  z.strictObject({ type: z.literal('session-started'), data: z.strictObject({ id: z.string() }) }),
  /** Name, address or role of the own account. */
  z.strictObject({ type: z.literal('account-changed'), data: z.strictObject({}) }),
  /** For administrators: accounts, and `waiting` where a new one wants to be let in. */
  z.strictObject({ type: z.literal('people-changed'), data: z.strictObject({ waiting: z.boolean() }) }),
  /** An export of the own account is ready, failed, or gone. */
  z.strictObject({ type: z.literal('exports-changed'), data: z.strictObject({}) }),
  z.strictObject({ type: z.literal('session-ended'), data: z.strictObject({}) }),
])
export type AccountEvent = z.infer<typeof AccountEvent>

export const system = routes({
  events: {
    method: 'get',
    path: '/api/events',
    access: 'user',
    summary: 'What changes in the account, for pages that are open',
    query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }),
    returns: z.never(),
    stream: AccountEvent,
  },
  live: {
    method: 'get',
    path: '/health/live',
    access: 'public',
    noStore: true,
    summary: 'The process runs',
    returns: z.strictObject({ status: z.literal('alive'), version: z.string() }),
  },
  ready: {
    method: 'get',
    path: '/health/ready',
    access: 'public',
    noStore: true,
    summary: 'The process can serve: 200, or 503 with the checks that fail',
    returns: z.strictObject({
      status: z.literal('ready'),
      checks: z.array(z.strictObject({ id: z.string(), status: z.enum(['pass', 'fail']), latencyMs: z.number() })),
    }),
    errors: ['unavailable'],
  },
  openapi: {
    method: 'get',
    path: '/api/openapi.json',
    access: 'public',
    summary: 'This interface as an OpenAPI 3.1 document',
    returns: z.record(z.string(), z.unknown()),
  },
})
