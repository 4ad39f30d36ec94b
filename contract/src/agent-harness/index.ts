/** The bridge to an agent daemon beside the server, for administrators. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Nothing, page, ReadSource, Time } from '../common.ts'
import { routes } from '../route.ts'
import { agentHarnessDescription } from './area.ts'
import { AutomationBody, AutomationChange, HarnessAutomation } from './automations.ts'
import {
  FallbackChange,
  HarnessDecision,
  HarnessEvent,
  HarnessFallback,
  HarnessId,
  HarnessModel,
  HarnessRun,
  HarnessRunDetails,
  HarnessRunEvent,
  HarnessRunKind,
  HarnessTheme,
  HarnessUsage,
} from './shapes.ts'

export * from './automations.ts'
export * from './shapes.ts'

/** Why the daemon is not connected. */
export const HarnessAbsence = z.enum(['switched_off', 'unreachable', 'timeout', 'refused', 'bad_answer'])
export type HarnessAbsence = z.infer<typeof HarnessAbsence>

const Health = z.strictObject({
  activeRuns: z.number().int(),
  telegramBridge: z.enum(['disabled', 'external', 'missing_token', 'stopped', 'failed', 'running']).nullable(),
})

export const HarnessStatus = z.strictObject({
  connected: z.boolean(),
  baseUrl: z.string(),
  /** The daemon's own page, for a browser that reaches the address. */
  dashboardUrl: z.string(),
  /** null while it is connected. */
  reason: HarnessAbsence.nullable(),
  health: Health.nullable(),
  /** What the daemon said last, while it is away; of this process of the server, and gone with it. */
  lastKnown: z
    .strictObject({
      at: Time,
      model: HarnessModel.nullable(),
      fallback: HarnessFallback.nullable(),
      usage: HarnessUsage.nullable(),
      runs: z.array(HarnessRun).nullable(),
      automations: z.array(HarnessAutomation).nullable(),
    })
    .nullable(),
})
export type HarnessStatus = z.infer<typeof HarnessStatus>

const Access = z.strictObject({ enabled: z.boolean(), source: ReadSource })

/** How asking the daemon can end, beside an answer. */
const absences = ['harness_unreachable', 'harness_timeout', 'harness_failed', 'harness_off'] as const
const refusals = [...absences, 'harness_rejected', 'harness_forbidden', 'harness_unavailable'] as const
const ofRuns = [...refusals, 'harness_run_not_found'] as const
const ofAutomations = [...refusals, 'harness_automation_not_found'] as const

const RunId = z.strictObject({ id: HarnessId })
const Limit = (usual: number, most: number) =>
  z.strictObject({ limit: z.coerce.number().int().min(1).max(most).default(usual) })

const Attachment = z.strictObject({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
  /** In base64: two megabytes and a half. */
  data: z
    .string()
    .max(3_500_000)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'write it in base64'),
  fileName: z.string().trim().min(1).max(200).optional(),
})

export const agentHarnessRoutes = routes({
  status: {
    method: 'get',
    path: '/api/harness/status',
    access: 'admin',
    summary: 'Whether the agent daemon answers, and where it is; never fails because of the daemon',
    returns: HarnessStatus,
  },
  access: {
    method: 'get',
    path: '/api/harness/access',
    access: 'admin',
    summary: 'Whether the bridge to the agent daemon is switched on',
    returns: Access,
  },
  updateAccess: {
    method: 'put',
    path: '/api/harness/access',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Switch the bridge to the agent daemon on or off; the daemon goes on either way',
    body: z.strictObject({ enabled: z.boolean() }),
    returns: Access,
  },
  model: {
    method: 'get',
    path: '/api/harness/config/model',
    access: 'admin',
    summary: 'The provider and the model of the daemon',
    returns: HarnessModel,
    errors: refusals,
  },
  updateModel: {
    method: 'patch',
    path: '/api/harness/config/model',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Choose provider and model of the daemon; kept for good, its automations take them over, too',
    body: z.strictObject({
      provider: z.string().trim().min(1).max(100),
      model: z.string().trim().min(1).max(200),
      persistGlobal: z.boolean().default(false),
    }),
    returns: HarnessModel.extend({ persistedPath: z.string().nullable(), automationsUpdated: z.number().int() }),
    errors: refusals,
  },
  fallback: {
    method: 'get',
    path: '/api/harness/config/fallback',
    access: 'admin',
    summary: 'Whom the daemon asks when its provider fails',
    returns: HarnessFallback,
    errors: refusals,
  },
  updateFallback: {
    method: 'patch',
    path: '/api/harness/config/fallback',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Say whom the daemon asks when its provider fails: three others at most',
    body: FallbackChange,
    returns: HarnessFallback.extend({ persistedPath: z.string().nullable() }),
    errors: refusals,
  },
  updateTheme: {
    method: 'patch',
    path: '/api/harness/config/theme',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Choose the colours of the daemon’s own page',
    body: z.strictObject({ theme: HarnessTheme, persistGlobal: z.boolean().default(true) }),
    returns: z.strictObject({ theme: z.string(), label: z.string(), persistedPath: z.string().nullable() }),
    errors: refusals,
  },
  runs: {
    method: 'get',
    path: '/api/harness/runs',
    access: 'admin',
    summary: 'The runs of the daemon, what changed last first',
    query: Limit(20, 100),
    returns: z.strictObject({ items: z.array(HarnessRun), nextCursor: z.null() }),
    errors: refusals,
  },
  startRun: {
    method: 'post',
    path: '/api/harness/runs',
    access: 'admin',
    status: 202,
    audit: 'harness-run.start',
    maxBodyBytes: 15_000_000,
    summary: 'Start a run of an agent; without provider and model, those of the daemon are taken',
    body: z.strictObject({
      message: z.string().trim().min(1).max(200_000),
      kind: HarnessRunKind.default('chat'),
      provider: z.string().trim().min(1).max(100).optional(),
      model: z.string().trim().min(1).max(200).optional(),
      session: HarnessId.optional(),
      attachments: z.array(Attachment).max(4).optional(),
    }),
    returns: HarnessRun,
    errors: [...refusals, 'harness_conflict', 'harness_busy'],
  },
  readRun: {
    method: 'get',
    path: '/api/harness/runs/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'A run, what it waits for, and what it has written, by name and size',
    params: RunId,
    returns: HarnessRunDetails,
    errors: ofRuns,
  },
  runEvents: {
    method: 'get',
    path: '/api/harness/runs/{id}/events',
    access: 'admin',
    names: 'instance',
    summary:
      'The events of a run after one of them (0: all); asked for as an event stream, followed until the run is over',
    params: RunId,
    query: z.strictObject({
      after: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(2000).default(500),
    }),
    /** `nextCursor` is what to send as `after`, where there is more. */
    returns: page(HarnessEvent),
    stream: HarnessRunEvent,
    streamOnRequest: true,
    errors: ofRuns,
  },
  cancelRun: {
    method: 'post',
    path: '/api/harness/runs/{id}/cancel',
    access: 'admin',
    names: 'instance',
    audit: 'harness-run.cancel',
    limit: 'stop',
    summary: 'Cancel a run; one that is `active` ends a little later',
    params: RunId,
    returns: z.strictObject({ runId: HarnessId, cancelled: z.boolean(), active: z.boolean() }),
    errors: ofRuns,
  },
  decide: {
    method: 'post',
    path: '/api/harness/runs/{id}/permissions/{toolCallId}',
    access: 'admin',
    names: 'instance',
    audit: 'harness-run.decide',
    summary: 'Answer a run that asks whether it may use a tool; `resolution` is another name of `decision`',
    params: RunId.extend({ toolCallId: HarnessId }),
    body: z.union([z.strictObject({ decision: HarnessDecision }), z.strictObject({ resolution: HarnessDecision })]),
    returns: z.strictObject({ runId: HarnessId, toolCallId: HarnessId, decision: HarnessDecision }),
    errors: [...ofRuns, 'permission_gone'],
  },
  usage: {
    method: 'get',
    path: '/api/harness/usage',
    access: 'admin',
    summary: 'What the daemon used, in sums and by call',
    query: Limit(250, 1000).extend({ provider: z.string().trim().min(1).max(100).optional() }),
    returns: HarnessUsage,
    errors: refusals,
  },
  automations: {
    method: 'get',
    path: '/api/harness/automations',
    access: 'admin',
    summary: 'The automations of the daemon: active ones first, then by their next time',
    query: Limit(50, 200),
    returns: z.strictObject({ items: z.array(HarnessAutomation), nextCursor: z.null() }),
    errors: refusals,
  },
  createAutomation: {
    method: 'post',
    path: '/api/harness/automations',
    access: 'admin',
    audit: 'harness-automation.create',
    summary: 'Have the daemon do something again and again, at times of its own machine',
    body: AutomationBody,
    returns: HarnessAutomation,
    errors: [...refusals, 'harness_conflict'],
  },
  readAutomation: {
    method: 'get',
    path: '/api/harness/automations/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'An automation of the daemon',
    params: RunId,
    returns: HarnessAutomation,
    errors: ofAutomations,
  },
  updateAutomation: {
    method: 'patch',
    path: '/api/harness/automations/{id}',
    access: 'admin',
    names: 'instance',
    audit: 'harness-automation.update',
    summary: 'Change an automation of the daemon',
    params: RunId,
    body: AutomationChange,
    returns: HarnessAutomation,
    errors: ofAutomations,
  },
  removeAutomation: {
    method: 'delete',
    path: '/api/harness/automations/{id}',
    access: 'admin',
    names: 'instance',
    audit: 'harness-automation.delete',
    summary: 'Delete an automation of the daemon; its runs stay',
    params: RunId,
    returns: Nothing,
    errors: ofAutomations,
  },
  runAutomation: {
    method: 'post',
    path: '/api/harness/automations/{id}/run',
    access: 'admin',
    names: 'instance',
    status: 202,
    audit: 'harness-automation.run',
    summary: 'Run an automation now',
    params: RunId,
    returns: z.strictObject({ run: HarnessRun, automation: HarnessAutomation }),
    errors: [...ofAutomations, 'harness_conflict', 'harness_busy'],
  },
  pauseAutomation: {
    method: 'post',
    path: '/api/harness/automations/{id}/pause',
    access: 'admin',
    names: 'instance',
    audit: 'harness-automation.pause',
    summary: 'Pause an automation',
    params: RunId,
    returns: HarnessAutomation,
    errors: ofAutomations,
  },
  resumeAutomation: {
    method: 'post',
    path: '/api/harness/automations/{id}/resume',
    access: 'admin',
    names: 'instance',
    audit: 'harness-automation.resume',
    summary: 'Let a paused automation go on from its next time',
    params: RunId,
    returns: HarnessAutomation,
    errors: ofAutomations,
  },
})

export const agentHarnessArea = area(agentHarnessDescription, {
  routes: agentHarnessRoutes,
  shapes: {
    HarnessAutomation,
    HarnessEvent,
    HarnessFallback,
    HarnessModel,
    HarnessRun,
    HarnessRunDetails,
    HarnessRunEvent,
    HarnessUsage,
  },
})
