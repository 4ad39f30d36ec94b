/**
 * Webhooks that leave the house: own ones, told of what an account is notified of, and those of the instance, told of its
 * alerts. Each body is signed as Standard Webhooks 1.0 says. A webhook that says it is gone, or fails for five days, is
 * turned off and its owner is told. It refuses private addresses that no administrator allowed, sends words only where
 * they were asked for, and shows a secret once.
 */
import type { InstanceEvent } from '@atrium/contract/webhooks'
import { z } from 'zod'
import { defineJob } from '../../platform/jobs/types.ts'
import { announceWebhooks, type WebhookContext, type WebhooksDeps } from './context.ts'
import { createDelivery, deliverJob, type WebhookMessage } from './deliver.ts'
import { createDeliveryStore } from './delivery-store.ts'
import { readOrigin } from './origin.ts'
import { webhookHandlers } from './handlers.ts'
import { createWebhookStore, type StoredWebhook, toWebhook } from './store.ts'

export { originHeader } from './origin.ts'
export type { WebhooksDeps } from './context.ts'
export { webhookMigrations, webhookSealed } from './tables.ts'

/** What an account is notified of. `at`: milliseconds. */
export interface NotifiedOf {
  /** Of the delivery: the same one is told once. */
  readonly id: string
  readonly accountId: string
  readonly notificationId: string
  readonly kind: string
  readonly at: number
  /** Asked for where a webhook wants words; null: there is nothing to tell any more. */
  readonly words: () => Promise<{ readonly title: string; readonly body: string } | null>
}

export const pruneJob = 'webhooks.prune'
const dayMs = 24 * 3600_000
const keptMs = 30 * dayMs

export const createWebhooks = (deps: WebhooksDeps) => {
  const { accounts, audit, clock } = deps
  const store = createWebhookStore(deps)
  const deliveries = createDeliveryStore(deps)

  const wasTurnedOff = async (webhook: StoredWebhook, reason: 'gone' | 'failing'): Promise<void> => {
    const { accountId, id, name } = webhook
    const actor = { kind: 'system', accountId: null } as const
    await audit.record({ actor, action: 'webhook.off', target: { type: 'webhook', id }, details: { reason } })
    const facts = { webhookId: id, of: accountId === null ? 'instance' : 'account', reason, name } as const
    const sourceKey = `webhook-off:${id}:${clock.now()}`
    for (const reader of accountId === null ? await accounts.administratorIds() : [accountId])
      await deps.publish({ accountId: reader, kind: 'webhook-off', sourceKey, about: `webhook:${id}`, facts })
    await announceWebhooks(deps, accountId)
  }
  const context: WebhookContext = {
    ...deps,
    store,
    deliveries,
    enqueue: deps.jobs.enqueue,
    mayAct: async ({ accountId }) => accountId === null || (await accounts.isActive(accountId)),
    wasTurnedOff,
  }
  const delivery = createDelivery(context)
  const wanting = async (accountId: string | null, event: string): Promise<StoredWebhook[]> =>
    (await store.list(accountId)).filter(
      ({ enabled, events }) => enabled && (events.includes('*') || events.includes(event)),
    )

  const ownOn = async (accountId: string, webhookId: string): Promise<StoredWebhook | null> => {
    const webhook = await store.find(webhookId)
    return webhook?.accountId === accountId && webhook.enabled ? webhook : null
  }

  return {
    handlers: webhookHandlers(context, delivery),
    jobs: {
      [deliverJob]: delivery.job,
      [pruneJob]: defineJob({
        payload: z.strictObject({}),
        attempts: 1,
        timeoutMs: 60_000,
        run: () => deliveries.removeBefore(clock.now() - keptMs),
      }),
    },
    every: [[pruneJob, dayMs]] as const,
    accountRemoved: store.removeAccount,
    api: {
      /** Tells the own webhooks of an account that want this kind; gives how many. */
      async deliver({ id, accountId, notificationId, kind, at, words }: NotifiedOf): Promise<number> {
        const webhooks = await wanting(accountId, kind)
        if (webhooks.length === 0) return 0
        const address = await deps.address()
        const data = {
          notificationId,
          kind,
          at: new Date(at).toISOString(),
          link: address === null ? null : `${address}/notifications/${notificationId}`,
        }
        const said = await words()
        if (said === null) return 0
        for (const webhook of webhooks)
          await delivery.tell(webhook, {
            source: `notification:${notificationId}:${id}`,
            type: `notification.${kind}`,
            at,
            data: webhook.content ? { ...data, ...said } : data,
          })
        return webhooks.length
      },

      /** Whether an account has this webhook, and it is on. */
      isOn: async (accountId: string, webhookId: string): Promise<boolean> =>
        (await ownOn(accountId, webhookId)) !== null,
      /** What a webhook of this instance was told of, by the header that its calls bear; null: the header is none of ours. */
      async sourceOf(header: string | null): Promise<{ accountId: string | null; source: string } | null> {
        const id = readOrigin(deps.vault, header)
        const delivery = id === null ? null : await deliveries.find(id)
        return delivery && { accountId: delivery.account_id, source: delivery.source }
      },
      /** Tells one webhook of an account, whatever it wants beside; the same source once. false: it is gone, or off. */
      async sendToOwn(accountId: string, webhookId: string, message: WebhookMessage): Promise<boolean> {
        const webhook = await ownOn(accountId, webhookId)
        if (webhook) await delivery.tell(webhook, message)
        return webhook !== null
      },

      /** Tells the webhooks of the instance that want this event; the same source once. */
      async sendToInstance(
        event: InstanceEvent,
        message: { readonly source: string; readonly data: Readonly<Record<string, unknown>> },
      ): Promise<void> {
        const type = event.replace('-', '.')
        for (const webhook of await wanting(null, event))
          await delivery.tell(webhook, { ...message, type, at: clock.now() })
      },

      /** All of an account, for its export; secrets stay. */
      webhooksOf: async (accountId: string) =>
        (await store.list(accountId)).map((webhook) => toWebhook(webhook, clock.now())),
    },
  }
}
export type Webhooks = ReturnType<typeof createWebhooks>['api']
