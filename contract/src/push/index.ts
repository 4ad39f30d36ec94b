/** Push: what reaches a browser while no page is open (RFC 8030, 8291, 8292). */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Time, page } from '../common.ts'
import { routes } from '../route.ts'
import { pushDescription } from './area.ts'

/** A browser that takes push messages, for as long as the session lives that turned it on. */
export const PushDevice = z.strictObject({
  id: Id,
  userAgent: z.string().nullable(),
  createdAt: Time,
  /** When a push service last took a message for it. */
  lastUsedAt: Time.nullable(),
  /** Whether it belongs to the session that asks. */
  current: z.boolean(),
})
export type PushDevice = z.infer<typeof PushDevice>

/** Where a push service takes messages for a browser. Whoever knows it can write to it, so that it is never told. */
const Endpoint = z.url({ protocol: /^https$/ }).max(2048)

const PushKeys = z.strictObject({
  /** An uncompressed point of P-256: 65 bytes, base64url. */
  p256dh: z.string().regex(/^B[A-Za-z0-9_-]{86}=?$/, 'must be 65 bytes as base64url'),
  /** 16 bytes, base64url. */
  auth: z.string().regex(/^[A-Za-z0-9_-]{22}(==)?$/, 'must be 16 bytes as base64url'),
})

export const mostPushDevices = 10

/** Either what the browser knows itself by, or an entry of the list. */
const WhichDevice = z.union([z.strictObject({ endpoint: Endpoint }), z.strictObject({ id: Id })])

export const pushRoutes = routes({
  publicKey: {
    method: 'get',
    path: '/api/push/public-key',
    access: 'user',
    forPeople: true,
    summary: 'Get the public key that browsers need to subscribe at a push service (RFC 8292)',
    returns: z.strictObject({ publicKey: z.string() }),
  },
  devices: {
    method: 'get',
    path: '/api/push/subscriptions',
    access: 'user',
    forPeople: true,
    noStore: true,
    summary: 'List your push devices, newest first',
    returns: page(PushDevice),
  },
  subscribe: {
    method: 'post',
    path: '/api/push/subscriptions',
    access: 'user',
    forPeople: true,
    limit: 'account',
    audit: 'push-device.add',
    summary: 'Subscribe this browser to push messages until its session ends',
    body: z.strictObject({ endpoint: Endpoint, keys: PushKeys }),
    returns: PushDevice,
    errors: ['push_device_limit', 'push_refused', 'url_not_allowed'],
  },
  unsubscribe: {
    method: 'delete',
    path: '/api/push/subscriptions',
    access: 'user',
    forPeople: true,
    audit: 'push-device.remove',
    summary: 'Unsubscribe a browser from push messages',
    body: WhichDevice,
    returns: z.strictObject({ removed: z.boolean() }),
  },
  test: {
    method: 'post',
    path: '/api/push/test',
    access: 'user',
    forPeople: true,
    limit: 'external',
    summary: 'Send a test message to one of your browsers, and get the push service’s response',
    body: z.strictObject({ id: Id }),
    returns: z.strictObject({
      /** `gone`: the browser takes none any more, and was removed. `later`: the service is busy or out of reach. */
      outcome: z.enum(['sent', 'gone', 'later', 'refused']),
      /** As the push service answered; null where it did not. */
      status: z.number().int().nullable(),
    }),
    errors: ['push_device_not_found'],
  },
})

export const pushArea = area(pushDescription, { routes: pushRoutes, shapes: { PushDevice } })
