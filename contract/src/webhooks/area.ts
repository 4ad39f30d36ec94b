/** What the rest of the product derives from this area: its error codes, events, audit actions and jobs. */
import { z } from 'zod'
import { describeArea } from '../description.ts'
import { Words } from '../notifications/words.ts'

export const webhooksDescription = describeArea({
  name: 'webhooks',
  tag: 'notifications',
  errors: {
    webhook_not_found: [404, 'Webhook not found.'],
    delivery_not_found: [404, 'Delivery not found.'],
    webhook_limit: [409, 'You can have at most 20 webhooks. Delete one first.'],
    delivery_waiting: [409, 'This delivery is still being tried.'],
    webhook_off: [409, 'This webhook is off. Turn it on first.'],
  },
  events: {
    'webhooks-changed': z.strictObject({}),
  },
  notifications: {
    /** A webhook was turned off, as its server is gone or failed for days. */
    'webhook-off': z.strictObject({
      webhookId: z.string(),
      of: z.enum(['account', 'instance']),
      reason: z.enum(['gone', 'failing']),
      name: Words,
    }),
  },
  audit: ['webhook.create', 'webhook.update', 'webhook.delete', 'webhook.rotate', 'webhook.off'],
  jobs: ['webhooks.deliver', 'webhooks.prune'],
})
