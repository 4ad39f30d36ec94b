/** What people do with their webhooks, and administrators with those of the instance. */
import { randomBytes } from 'node:crypto'
import { notificationKinds } from '@atrium/contract/notifications'
import { instanceEvents, type WebhookOwner, type webhooksRoutes } from '@atrium/contract/webhooks'
import type { Caller, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { callWebhook } from './call.ts'
import { announceWebhooks, type WebhookContext } from './context.ts'
import { bodyOf, type createDelivery } from './deliver.ts'
import { toDelivery } from './delivery-store.ts'
import { secretBytes, secretOf, signedHeaders } from './signature.ts'
import { type OwnerId, type StoredWebhook, toWebhook } from './store.ts'

const hourMs = 3600_000

export const webhookHandlers = (
  context: WebhookContext,
  delivery: Pick<ReturnType<typeof createDelivery>, 'schedule'>,
): Handlers<typeof webhooksRoutes> => {
  const { clock, deliveries, outbound, store } = context
  const newSecret = (): string => secretOf(randomBytes(secretBytes))
  const changed = (accountId: OwnerId) => announceWebhooks(context, accountId)
  /** One that the caller may see. */
  const find = async (id: string, caller: Caller): Promise<StoredWebhook> => {
    const webhook = await store.find(id)
    const isTheirs = webhook?.accountId === null ? mayAdminister(caller) : webhook?.accountId === caller.accountId
    if (!webhook || !isTheirs) throw fail('webhook_not_found')
    return webhook
  }

  return {
    async webhooks({ query: { of } }, { caller }) {
      const items = await store.list(ownerOf(of, caller))
      return { items: items.map((webhook) => toWebhook(webhook, clock.now())), nextCursor: null }
    },

    async createWebhook({ body: { of, ...settings } }, { caller }) {
      const accountId = ownerOf(of, caller)
      requireKnownEvents(accountId, settings.events)
      await outbound.check(settings.url)
      const secret = newSecret()
      const webhook = await store.insert(clock.id(), accountId, settings, secret, clock.now())
      await changed(accountId)
      return { webhook: toWebhook(webhook, clock.now()), secret }
    },

    async updateWebhook({ params: { webhookId: id }, body }, { caller }) {
      const before = await find(id, caller)
      requireKnownEvents(before.accountId, body.events)
      await outbound.check(body.url)
      const after = await store.update(before, body, clock.now())
      if (!after) throw fail('webhook_not_found')
      await changed(after.accountId)
      return toWebhook(after, clock.now())
    },

    async removeWebhook({ params: { webhookId: id } }, { caller }) {
      const webhook = await find(id, caller)
      await store.remove(id)
      await changed(webhook.accountId)
      return {}
    },

    async rotateWebhookSecret({ params: { webhookId: id }, body: { keepHours } }, { caller }) {
      const before = await find(id, caller)
      const now = clock.now()
      const secret = newSecret()
      const after = await store.rotate(before, secret, keepHours === 0 ? null : now + keepHours * hourMs, now)
      if (!after) throw fail('webhook_not_found')
      await changed(after.accountId)
      return { webhook: toWebhook(after, now), secret }
    },

    async testWebhook({ params: { webhookId: id } }, { caller, signal }) {
      const webhook = await find(id, caller)
      const begun = clock.now()
      const sent = bodyOf({ type: 'test', at: begun, data: { webhookId: id } })
      const secrets = await store.secretsOf(id, begun)
      const headers = signedHeaders({ id: `msg_${clock.id()}`, body: sent }, secrets, begun)
      const outcome = await callWebhook(outbound, webhook.url, { headers, body: sent }, { signal, shows: true })
      return { ...outcome, sent, durationMs: clock.now() - begun }
    },

    async webhookDeliveries({ params: { webhookId: id }, query: { limit, cursor } }, { caller }) {
      await find(id, caller)
      return await deliveries.page(id, limit, cursor)
    },

    async redeliver({ params: { webhookId: id, deliveryId } }, { caller }) {
      const webhook = await find(id, caller)
      const known = await deliveries.find(deliveryId)
      if (known?.webhook_id !== id) throw fail('delivery_not_found')
      if (!webhook.enabled) throw fail('webhook_off')
      const begun = await deliveries.restart(deliveryId, clock.now())
      if (!begun) throw fail('delivery_waiting')
      await delivery.schedule(begun)
      return toDelivery(begun)
    },
  }
}

/** A token of an administrator needs the scope for it besides. */
const mayAdminister = ({ role, token }: Caller): boolean =>
  role === 'admin' && (token === null || token.scopes.includes('admin'))

const ownerOf = (of: WebhookOwner, caller: Caller): OwnerId => {
  if (of === 'account') return caller.accountId
  if (!mayAdminister(caller)) throw fail('forbidden', 'Only administrators can manage webhooks of the instance.')
  return null
}

const requireKnownEvents = (accountId: OwnerId, events: readonly string[]): void => {
  const known: readonly string[] = ['*', ...(accountId === null ? instanceEvents : notificationKinds)]
  const unknown = events.findIndex((event) => !known.includes(event))
  if (unknown === -1) return
  throw fail('validation_failed', undefined, [{ path: `body.events.${unknown}`, message: 'isn’t an event' }])
}
