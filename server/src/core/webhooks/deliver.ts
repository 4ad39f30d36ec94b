/**
 * Tells webhooks: a row for each of what they are told, and a job for each try. The row counts the tries; a job that was
 * lost between two of them is made good by the next one that finds the row further on.
 */
import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { defineJob } from '../../platform/jobs/types.ts'
import type { WebhookContext } from './context.ts'
import { callWebhook } from './call.ts'
import type { StoredDelivery, TriedDelivery } from './delivery-store.ts'
import { originHeader, signOrigin } from './origin.ts'
import { patienceMs, signedHeaders, waitAfter } from './signature.ts'
import type { StoredWebhook } from './store.ts'

export const deliverJob = 'webhooks.deliver'
const Payload = z.strictObject({ deliveryId: z.string(), tries: z.number().int() })

/** What a webhook is told. `data` says what happened; `at`: milliseconds. */
export interface WebhookMessage {
  /** The same source is told once. */
  readonly source: string
  readonly type: string
  readonly at: number
  readonly data: Readonly<Record<string, unknown>>
}

/** The body of a message, as Standard Webhooks 1.0 has it. */
export const bodyOf = ({ type, at, data }: Pick<WebhookMessage, 'type' | 'at' | 'data'>): string =>
  JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })

export const createDelivery = (context: WebhookContext) => {
  const { clock, deliveries, enqueue } = context

  const schedule = async ({ id, tries, begun_at, next_try_at }: StoredDelivery): Promise<void> => {
    const delayMs = Math.max(0, (next_try_at ?? 0) - clock.now())
    await enqueue(
      deliverJob,
      { deliveryId: id, tries },
      { accountId: null, key: `${id} ${begun_at} ${tries}`, delayMs },
    )
  }

  return {
    /** Tells a webhook of something, unless it was told of it. */
    async tell(webhook: StoredWebhook, message: WebhookMessage): Promise<void> {
      const { source, type } = message
      const stored = await deliveries.add({ id: clock.id(), webhook, source, type, body: bodyOf(message) }, clock.now())
      if (stored.state === 'waiting') await schedule(stored)
    },
    schedule,
    job: defineJob({
      payload: Payload,
      attempts: 5,
      timeoutMs: 60_000,
      outward: true,
      async run({ deliveryId, tries }, { signal }) {
        const delivery = await deliveries.find(deliveryId)
        if (!delivery || delivery.state !== 'waiting') return
        if (delivery.tries !== tries) return await schedule(delivery)
        const webhook = await context.store.find(delivery.webhook_id)
        if (!webhook?.enabled || !(await context.mayAct(webhook))) return await deliveries.giveUp(deliveryId)
        const next = await tryOnce(context, webhook, delivery, signal)
        if (next) await schedule(next)
      },
    }),
  }
}

/** null: it ended. */
const tryOnce = async (
  context: WebhookContext,
  webhook: StoredWebhook,
  delivery: StoredDelivery & { readonly text: string },
  signal: AbortSignal,
): Promise<StoredDelivery | null> => {
  const { clock, database, deliveries, outbound, store } = context
  const begun = clock.now()
  const message = { id: `msg_${delivery.id}`, body: delivery.text }
  const signed = signedHeaders(message, await store.secretsOf(webhook.id, begun), begun)
  const headers = { ...signed, [originHeader]: signOrigin(context.vault, delivery.id) }
  const outcome = await callWebhook(outbound, webhook.url, { headers, body: delivery.text }, { signal })
  const now = clock.now()
  const isGone = outcome.status === 410
  const waitMs =
    outcome.delivered || isGone ? null : waitAfter(delivery.tries + 1, delivery.begun_at, now, randomInt(1000) / 1000)
  const tried: TriedDelivery = {
    state: outcome.delivered ? 'delivered' : waitMs === null ? 'failed' : 'waiting',
    status: outcome.status,
    failure: outcome.failure,
    durationMs: now - begun,
    nextTryAt: waitMs === null ? null : now + waitMs,
  }
  const off = await database.write<never, 'gone' | 'failing' | null>(async (trx) => {
    if (!(await deliveries.record(trx, delivery, tried, now))) return null
    if (outcome.delivered) {
      await store.markArrived(trx, webhook.id)
      return null
    }
    const since = await store.markFailing(trx, webhook.id, now)
    const reason = isGone ? 'gone' : now - since > patienceMs ? 'failing' : null
    return reason !== null && (await store.turnOff(trx, webhook.id, reason)) ? reason : null
  })
  if (off) await context.wasTurnedOff(webhook, off)
  if (waitMs === null) return null
  return { ...delivery, tries: delivery.tries + 1, next_try_at: tried.nextTryAt }
}
