/** What the rest of the product derives from this area: its error codes, events, jobs, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'
import { Words } from '../notifications/words.ts'

/** Why a run did not succeed, in a closed list. */
export const runReasons = [
  'overlap',
  'chain_too_deep',
  'server_was_off',
  'too_late',
  'stopped',
  'timed_out',
  'chat_gone',
  'channel_gone',
  'mail_unavailable',
  'webhook_gone',
  'chat_busy',
  'no_model',
  'model_unavailable',
  'over_budget',
  'cost_limit',
  'over_limit',
  'context_overflow',
  'web_search_unavailable',
  'tool_unavailable',
  'provider_failed',
  'interrupted',
  'internal',
] as const
export const RunReason = z.enum(runReasons)
export type RunReason = z.infer<typeof RunReason>

export const automationsDescription = describeArea({
  name: 'automations',
  tag: 'automations',
  errors: {
    automation_not_found: [404, 'Automation not found.'],
    automation_run_not_found: [404, 'Run not found.'],
    automation_limit: [409, 'You can have at most 200 automations.'],
    automation_paused: [409, 'This automation is paused.'],
    automation_run_ended: [409, 'This run has already ended.'],
    automation_run_not_ended: [409, 'This run hasn’t ended yet.'],
    automation_run_limit: [409, 'This automation has 100 runs waiting. Cancel some of them first.'],
    webhook_refused: [401, 'Webhook not found, or the secret is wrong.'],
    automation_mail_unavailable: [
      409,
      'Mail can’t reach you. Confirm your e-mail address, or ask your administrator to set up mail.',
    ],
    automation_target_invalid: [422, 'Without a model, send the text to a channel, by mail or to a webhook.'],
    trigger_invalid: [422, 'This schedule can’t be understood.'],
  },
  events: {
    /** Automations of the account, or runs of them. */
    'automations-changed': z.strictObject({}),
  },
  audit: ['automation.secret-create', 'automation.secret-delete'],
  jobs: ['automations.run', 'automations.mail', 'automations.upkeep'],
  scopes: ['read', 'write'],
  resources: {
    automation: { found: true, counted: 'automations' },
  },
  notifications: {
    /** A run succeeded, and this chat holds what came of it. */
    'automation-result': z.strictObject({
      automationId: z.string(),
      runId: z.string(),
      sessionId: z.string(),
      name: Words,
    }),
    /** A run failed; `paused`: it was the last of ten in a row, and the automation waits for its owner. */
    'automation-failed': z.strictObject({
      automationId: z.string(),
      runId: z.string(),
      name: Words,
      reason: RunReason,
      paused: z.boolean(),
    }),
  },
})
