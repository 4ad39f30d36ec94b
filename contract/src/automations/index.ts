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
    summary: 'The own automations by name',
    returns: z.strictObject({ items: z.array(Automation), nextCursor: z.null() }),
  },
  create: {
    method: 'post',
    path: '/api/automations',
    access: 'user',
    summary: 'Create an automation; it is active at once',
    body: AutomationContent,
    returns: Automation,
    errors: [...changeErrors, 'automation_limit'],
  },
  preview: {
    method: 'post',
    path: '/api/automations/preview',
    access: 'user',
    summary: 'The next five times at which triggers would start an automation',
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
    summary: 'When the active automations will run within a range of at most 62 days, at most 200 times each',
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
    summary: 'Runs of the own automations, newest first',
    query: PageQuery.extend({ automationId: Id.optional(), state: RunState.optional() }),
    returns: page(AutomationRun),
    errors: ['bad_cursor'],
  },
  seen: {
    method: 'post',
    path: '/api/automations/runs/seen',
    access: 'user',
    summary: 'Mark all runs that have ended as seen',
    returns: z.strictObject({ marked: z.number().int() }),
  },
  summary: {
    method: 'get',
    path: '/api/automations/runs/summary',
    access: 'user',
    summary: 'How many runs were not seen, and how the runs of the last 30 days ended',
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
    summary: 'One run, with what its trigger brought along',
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
    summary: 'Stop a run that waits or goes on',
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
    summary: 'Run again what has ended, with the same payload, as a new run',
    params: ByRun,
    returns: z.strictObject({ runId: Id }),
    errors: ['automation_run_not_found', 'automation_run_not_ended', 'automation_run_limit'],
  },
  read: {
    method: 'get',
    path: '/api/automations/{automationId}',
    access: 'user',
    names: 'own',
    summary: 'One automation',
    params: ById,
    returns: Automation,
    errors: ['automation_not_found'],
  },
  update: {
    method: 'put',
    path: '/api/automations/{automationId}',
    access: 'user',
    names: 'own',
    summary: 'Replace what an automation does and when. Times that are past are not made up for',
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
    summary: 'Delete an automation for good, with its runs; what waits or goes on is stopped, chats stay',
    params: ById,
    returns: Nothing,
    errors: ['automation_not_found'],
  },
  pause: {
    method: 'post',
    path: '/api/automations/{automationId}/pause',
    access: 'user',
    names: 'own',
    summary: 'Let nothing start an automation but its owner; what runs goes on',
    params: ById,
    returns: Automation,
    errors: ['automation_not_found'],
  },
  resume: {
    method: 'post',
    path: '/api/automations/{automationId}/resume',
    access: 'user',
    names: 'own',
    summary: 'Let its triggers start an automation again, from now on',
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
    summary: 'Run an automation now, also one that is paused',
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
      'Run an automation from elsewhere, with its secret as bearer, or signed with it (Standard Webhooks, or X-Hub-Signature-256). The body is a JSON object, or nothing',
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
    summary: 'Open the webhook of an automation, or give it another secret. It is in the answer and nowhere else',
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
    summary: 'Close the webhook of an automation',
    params: ById,
    returns: z.strictObject({ webhookEnabled: z.literal(false) }),
    errors: ['automation_not_found'],
  },
})

export const automationsArea = area(automationsDescription, {
  routes: automationsRoutes,
  shapes: { Automation, AutomationRun },
})
