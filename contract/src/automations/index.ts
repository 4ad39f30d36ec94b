/** Automations: instructions for a model that run on a schedule, by a webhook or by hand. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { routes } from '../route.ts'
import { automationsDescription } from './area.ts'
import { Automation, AutomationContent, AutomationRun, RunState, mostPayloadBytes } from './shapes.ts'
import { Trigger } from './triggers.ts'

export { type RunReason, runReasons } from './area.ts'
export * from './shapes.ts'
export * from './triggers.ts'

const ById = z.strictObject({ automationId: Id })
const ByRun = z.strictObject({ runId: Id })
const Range = z.strictObject({ from: z.iso.datetime({ offset: true }), to: z.iso.datetime({ offset: true }) })
const changeErrors = [
  'trigger_invalid',
  'chat_not_found',
  'automation_mail_unavailable',
  'automation_target_invalid',
] as const

export const automationsRoutes = routes({
  list: {
    method: 'get',
    path: '/api/automations',
    access: 'user',
    summary: 'List your automations by name',
    returns: z.strictObject({ items: z.array(Automation), nextCursor: z.null() }),
  },
  create: {
    method: 'post',
    path: '/api/automations',
    access: 'user',
    summary: 'Create an automation. It is active at once',
    body: AutomationContent,
    returns: Automation,
    errors: [...changeErrors, 'automation_limit'],
  },
  preview: {
    method: 'post',
    path: '/api/automations/preview',
    access: 'user',
    summary: 'Preview the next five times at which triggers would start an automation',
    body: AutomationContent.pick({ triggers: true, startsAt: true, endsAt: true }),
    returns: z.strictObject({
      /** Of all of them together. */
      next: z.array(Time),
      /** Of each by itself. */
      triggers: z.array(z.strictObject({ trigger: Trigger, next: z.array(Time) })),
    }),
    errors: ['trigger_invalid'],
  },
  occurrences: {
    method: 'get',
    path: '/api/automations/occurrences',
    access: 'user',
    summary: 'List when active automations will run, over at most 62 days and up to 200 times each',
    query: Range,
    returns: z.strictObject({
      items: z.array(z.strictObject({ automationId: Id, name: z.string(), at: Time })),
      nextCursor: z.null(),
    }),
  },
  runs: {
    method: 'get',
    path: '/api/automations/runs',
    access: 'user',
    summary: 'List runs of your automations, newest first',
    query: PageQuery.extend({ automationId: Id.optional(), state: RunState.optional() }),
    returns: page(AutomationRun),
    errors: ['bad_cursor'],
  },
  seen: {
    method: 'post',
    path: '/api/automations/runs/seen',
    access: 'user',
    summary: 'Mark all ended runs as seen',
    returns: z.strictObject({ marked: z.number().int() }),
  },
  summary: {
    method: 'get',
    path: '/api/automations/runs/summary',
    access: 'user',
    summary: 'Get the number of unseen runs, and how the runs of the last 30 days ended',
    query: z.strictObject({
      /** Where days begin; by default UTC. */
      timeZone: z.string().min(1).max(100).optional(),
    }),
    returns: z.strictObject({
      unseenCount: z.number().int(),
      /** Oldest first. */
      days: z.array(z.strictObject({ day: z.iso.date(), succeeded: z.number().int(), failed: z.number().int() })),
    }),
    errors: ['trigger_invalid'],
  },
  readRun: {
    method: 'get',
    path: '/api/automations/runs/{runId}',
    access: 'user',
    names: 'own',
    summary: 'Get a run with the payload of its trigger',
    params: ByRun,
    returns: AutomationRun.extend({ payload: z.string().nullable() }),
    errors: ['automation_run_not_found'],
  },
  cancelRun: {
    method: 'post',
    path: '/api/automations/runs/{runId}/cancel',
    access: 'user',
    names: 'own',
    limit: 'stop',
    summary: 'Cancel a waiting or running run',
    params: ByRun,
    returns: AutomationRun,
    errors: ['automation_run_not_found', 'automation_run_ended'],
  },
  retryRun: {
    method: 'post',
    path: '/api/automations/runs/{runId}/retry',
    access: 'user',
    names: 'own',
    status: 202,
    summary: 'Retry an ended run with the same payload, as a new run',
    params: ByRun,
    returns: z.strictObject({ runId: Id }),
    errors: ['automation_run_not_found', 'automation_run_not_ended', 'automation_run_limit'],
  },
  read: {
    method: 'get',
    path: '/api/automations/{automationId}',
    access: 'user',
    names: 'own',
    summary: 'Get an automation',
    params: ById,
    returns: Automation,
    errors: ['automation_not_found'],
  },
  update: {
    method: 'put',
    path: '/api/automations/{automationId}',
    access: 'user',
    names: 'own',
    summary: 'Replace an automation’s settings and triggers. Times that have passed are not made up for',
    params: ById,
    body: AutomationContent,
    returns: Automation,
    errors: [...changeErrors, 'automation_not_found'],
  },
  remove: {
    method: 'delete',
    path: '/api/automations/{automationId}',
    access: 'user',
    names: 'own',
    summary: 'Delete an automation with its runs, permanently. Waiting and active runs are stopped; chats are kept',
    params: ById,
    returns: Nothing,
    errors: ['automation_not_found'],
  },
  pause: {
    method: 'post',
    path: '/api/automations/{automationId}/pause',
    access: 'user',
    names: 'own',
    summary: 'Pause an automation. Only its owner can start it; active runs continue',
    params: ById,
    returns: Automation,
    errors: ['automation_not_found'],
  },
  resume: {
    method: 'post',
    path: '/api/automations/{automationId}/resume',
    access: 'user',
    names: 'own',
    summary: 'Resume an automation. Its triggers start it again from now on',
    params: ById,
    returns: Automation,
    errors: ['automation_not_found'],
  },
  run: {
    method: 'post',
    path: '/api/automations/{automationId}/run',
    access: 'user',
    names: 'own',
    limit: 'generate',
    status: 202,
    summary: 'Run an automation now, even if it is paused',
    params: ById,
    body: z.strictObject({ payload: z.record(z.string(), z.unknown()).optional() }).optional(),
    returns: z.strictObject({ runId: Id }),
    errors: ['automation_not_found', 'automation_run_limit'],
  },
  dryRun: {
    method: 'post',
    path: '/api/automations/{automationId}/dry-run',
    access: 'user',
    names: 'own',
    limit: 'generate',
    summary:
      'Try an automation: what it would ask, and what its model would answer without tools and documents. Nothing is saved or sent',
    params: ById,
    body: z.strictObject({ payload: z.record(z.string(), z.unknown()).optional() }).optional(),
    returns: z.strictObject({
      /** null: no model is asked. */
      question: z.string().nullable(),
      text: z.string(),
    }),
    errors: ['automation_not_found', 'model_unavailable', 'over_budget', 'provider_failed'],
  },
  webhook: {
    method: 'post',
    path: '/api/automations/{automationId}/webhook',
    access: 'public',
    names: 'instance',
    limit: 'webhook',
    status: 202,
    summary:
      'Run an automation by webhook: secret as bearer token, or signed with it (Standard Webhooks or X-Hub-Signature-256). The body is a JSON object or empty',
    params: ById,
    upload: { maxBytes: mostPayloadBytes },
    returns: z.strictObject({ runId: Id }),
    errors: ['webhook_refused', 'automation_paused', 'automation_run_limit'],
  },
  createSecret: {
    method: 'post',
    path: '/api/automations/{automationId}/webhook-secret',
    access: 'user',
    forPeople: true,
    names: 'own',
    noStore: true,
    audit: 'automation.secret-create',
    summary: 'Create or replace an automation’s webhook secret. It is returned only this once',
    params: ById,
    returns: z.strictObject({
      secret: z.string(),
      path: z.string(),
      /** Whole where the instance knows its address, else without scheme and host. */
      url: z.string(),
    }),
    errors: ['automation_not_found'],
  },
  removeSecret: {
    method: 'delete',
    path: '/api/automations/{automationId}/webhook-secret',
    access: 'user',
    names: 'own',
    audit: 'automation.secret-delete',
    summary: 'Turn off an automation’s webhook',
    params: ById,
    returns: z.strictObject({ webhookEnabled: z.literal(false) }),
    errors: ['automation_not_found'],
  },
})

export const automationsArea = area(automationsDescription, {
  routes: automationsRoutes,
  shapes: { Automation, AutomationRun },
})
