/** Webhooks that leave the house: a program elsewhere is told, signed as Standard Webhooks 1.0 says. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { routes } from '../route.ts'
import { webhooksDescription } from './area.ts'

/** Whose it is: of the account, told of what its owner is notified of; or of the instance, told of its alerts. */
export const WebhookOwner = z.enum(['account', 'instance'])
export type WebhookOwner = z.infer<typeof WebhookOwner>

export const Webhook = z.strictObject({
  id: Id,
  of: WebhookOwner,
  name: z.string(),
  url: z.string(),
  /** Kinds of notifications or of alerts; `*` for all. */
  events: z.array(z.string()),
  /** Whether words go along, and not only what kind of thing happened. */
  content: z.boolean(),
  enabled: z.boolean(),
  /** Why it was turned off by itself: its server said that it is gone, or failed for five days. */
  off: z.enum(['gone', 'failing']).nullable(),
  /** Since when every delivery failed; null while they arrive. */
  failingSince: Time.nullable(),
  /** Until when deliveries are signed with the secret before this one as well. */
  oldSecretUntil: Time.nullable(),
  createdAt: Time,
  updatedAt: Time,
})
export type Webhook = z.infer<typeof Webhook>

/** What came of calling a webhook, where it was not taken. */
export const WebhookFailure = z.enum(['status', 'address', 'redirected', 'unreachable', 'timeout', 'off'])
export type WebhookFailure = z.infer<typeof WebhookFailure>

export const WebhookDelivery = z.strictObject({
  id: Id,
  /** Of the body, such as `notification.share`. */
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  tries: z.number().int(),
  /** Of the last answer; null where none came. */
  status: z.number().int().nullable(),
  failure: WebhookFailure.nullable(),
  durationMs: z.number().int().nullable(),
  createdAt: Time,
  triedAt: Time.nullable(),
  /** When it is tried again. */
  nextTryAt: Time.nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const mostWebhooks = 20

/** What webhooks of the instance are told of. */
export const instanceEvents = ['alert-started', 'alert-ended'] as const
export type InstanceEvent = (typeof instanceEvents)[number]

const ById = z.strictObject({ webhookId: Id })
const Settings = {
  name: z.string().trim().min(1).max(120),
  url: z.url({ protocol: /^https?$/ }).max(2000),
  events: z
    .array(z.string().regex(/^(\*|[a-z][a-z-]{0,59})$/))
    .min(1)
    .max(100),
  content: z.boolean(),
  enabled: z.boolean(),
}
/** The secret is shown by this answer alone. */
const WithSecret = z.strictObject({ webhook: Webhook, secret: z.string() })

export const webhooksRoutes = routes({
  webhooks: {
    method: 'get',
    path: '/api/notifications/webhooks',
    access: 'user',
    summary: 'List your webhooks or, as an administrator, those of the instance, newest first',
    query: z.strictObject({ of: WebhookOwner.default('account') }),
    returns: page(Webhook),
    errors: ['forbidden'],
  },
  createWebhook: {
    method: 'post',
    path: '/api/notifications/webhooks',
    access: 'user',
    audit: 'webhook.create',
    limit: 'account',
    noStore: true,
    summary: 'Create a webhook. Its secret is returned only this once',
    body: z.strictObject({
      ...Settings,
      of: WebhookOwner.default('account'),
      content: Settings.content.default(false),
      enabled: Settings.enabled.default(true),
    }),
    returns: WithSecret,
    errors: ['forbidden', 'webhook_limit', 'url_not_allowed'],
  },
  updateWebhook: {
    method: 'put',
    path: '/api/notifications/webhooks/{webhookId}',
    access: 'user',
    names: 'own',
    audit: 'webhook.update',
    limit: 'account',
    summary: 'Update a webhook',
    params: ById,
    body: z.strictObject(Settings),
    returns: Webhook,
    errors: ['webhook_not_found', 'url_not_allowed'],
  },
  removeWebhook: {
    method: 'delete',
    path: '/api/notifications/webhooks/{webhookId}',
    access: 'user',
    names: 'own',
    audit: 'webhook.delete',
    summary: 'Delete a webhook and its deliveries',
    params: ById,
    returns: Nothing,
    errors: ['webhook_not_found'],
  },
  rotateWebhookSecret: {
    method: 'post',
    path: '/api/notifications/webhooks/{webhookId}/secret',
    access: 'user',
    names: 'own',
    audit: 'webhook.rotate',
    limit: 'account',
    noStore: true,
    summary: 'Rotate a webhook’s secret. The previous one also signs for the given number of hours',
    params: ById,
    body: z.strictObject({ keepHours: z.number().int().min(0).max(168).default(24) }),
    returns: WithSecret,
    errors: ['webhook_not_found'],
  },
  testWebhook: {
    method: 'post',
    path: '/api/notifications/webhooks/{webhookId}/test',
    access: 'user',
    names: 'own',
    limit: 'external',
    noStore: true,
    summary: 'Send a test to a webhook and get the response. Nothing is stored',
    params: ById,
    body: Nothing,
    returns: z.strictObject({
      delivered: z.boolean(),
      status: z.number().int().nullable(),
      failure: WebhookFailure.nullable(),
      durationMs: z.number().int(),
      /** What was sent, as it was signed. */
      sent: z.string(),
      /** The beginning of the answer, as text. */
      answer: z.string(),
    }),
    errors: ['webhook_not_found'],
  },
  webhookDeliveries: {
    method: 'get',
    path: '/api/notifications/webhooks/{webhookId}/deliveries',
    access: 'user',
    names: 'own',
    summary: 'List the deliveries of a webhook in the last 30 days, newest first',
    params: ById,
    query: PageQuery,
    returns: page(WebhookDelivery),
    errors: ['webhook_not_found', 'bad_cursor'],
  },
  redeliver: {
    method: 'post',
    path: '/api/notifications/webhooks/{webhookId}/deliveries/{deliveryId}/retry',
    access: 'user',
    names: 'own',
    limit: 'external',
    summary: 'Retry an ended delivery under the same id',
    params: z.strictObject({ webhookId: Id, deliveryId: Id }),
    body: Nothing,
    returns: WebhookDelivery,
    errors: ['webhook_not_found', 'delivery_not_found', 'delivery_waiting', 'webhook_off'],
  },
})

export const webhooksArea = area(webhooksDescription, {
  routes: webhooksRoutes,
  shapes: { Webhook, WebhookDelivery },
})
