/** The webhook of an automation: its owner opens and closes it, and whoever has its secret starts a run. */
import type { automationsRoutes } from '@atrium/contract/automations'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { JsonFault, readJsonText } from '../../platform/json/index.ts'
import { type AutomationContext, announceChange } from './context.ts'
import { originHeader } from '../../core/webhooks/index.ts'
import { readOrigin } from './events/prepare-run.ts'
import { originOfSource } from './events/sources.ts'
import { startRun } from './run-handlers.ts'
import { checkDelivery, makeSecret } from './webhook.ts'

type Routes = Pick<typeof automationsRoutes, 'webhook' | 'createSecret' | 'removeSecret'>

const perMinute = 60

export const hookHandlers = (context: AutomationContext): Handlers<Routes> => ({
  async webhook({ params, file }, { header, answerStatus }) {
    const body = await file.bytes()
    const secret = await context.automations.readSecret(params.automationId)
    const shown = checkDelivery(secret, { header, body, now: context.clock.now() })
    if (!shown) throw fail('webhook_refused')
    const automation = await context.automations.read(params.automationId, null)
    if (!automation) throw fail('webhook_refused')
    if (automation.status === 'paused') throw fail('automation_paused')
    const payload = payloadOf(body)
    const since = context.clock.now() - 60_000
    if ((await context.runs.countStarted(automation.id, 'webhook', since)) >= perMinute) throw fail('rate_limited')
    answerStatus(202)
    // The same delivery again gives the same run. Its name may say anything, so it is not kept.
    const name =
      shown.id === null ? null : context.vault.blindIndex('automations.delivery', `${automation.id} ${shown.id}`)
    const source = await context.webhooks.sourceOf(header(originHeader))
    const origin = source && (await readOrigin(context.runs, await originOfSource(context, source)))
    const depth = (origin?.depth ?? 0) + 1
    return { runId: await startRun(context, automation, { by: 'webhook', payload, name, depth }) }
  },

  async createSecret({ params }, { caller: { accountId } }) {
    const secret = makeSecret()
    if (!(await context.automations.setSecret(params.automationId, accountId, secret)))
      throw fail('automation_not_found')
    await announceChange(context, accountId)
    const path = `/api/automations/${params.automationId}/webhook`
    return { secret, path, url: `${(await context.address()) ?? ''}${path}` }
  },

  async removeSecret({ params }, { caller: { accountId } }) {
    if (!(await context.automations.setSecret(params.automationId, accountId, null))) throw fail('automation_not_found')
    await announceChange(context, accountId)
    return { webhookEnabled: false }
  },
})

/** What was sent, as JSON again; null where nothing was. Refuses all that is no JSON object. */
const payloadOf = (body: Uint8Array): string | null => {
  if (body.byteLength === 0) return null
  try {
    const read = readJsonText(body)
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return JSON.stringify(read, null, 2)
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    throw fail('validation_failed', error.message)
  }
  throw fail('validation_failed', 'Send a JSON object or an empty body.')
}
