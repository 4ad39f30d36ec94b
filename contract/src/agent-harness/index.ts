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
    summary: 'Get whether the agent daemon responds, and its address. Succeeds even if the daemon doesn’t',
    returns: HarnessStatus,
  },
  access: {
    method: 'get',
    path: '/api/harness/access',
    access: 'admin',
    summary: 'Get whether the agent daemon bridge is on',
    returns: Access,
  },
  updateAccess: {
    method: 'put',
    path: '/api/harness/access',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Turn the agent daemon bridge on or off. The daemon keeps running either way',
    body: z.strictObject({ enabled: z.boolean() }),
    returns: Access,
  },
  model: {
    method: 'get',
    path: '/api/harness/config/model',
    access: 'admin',
    summary: 'Get the daemon’s provider and model',
    returns: HarnessModel,
    errors: refusals,
  },
  updateModel: {
    method: 'patch',
    path: '/api/harness/config/model',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Set the daemon’s provider and model permanently. Its automations use them too',
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
    summary: 'Get the daemon’s fallback providers',
    returns: HarnessFallback,
    errors: refusals,
  },
  updateFallback: {
    method: 'patch',
    path: '/api/harness/config/fallback',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Set up to three fallback providers for the daemon',
    body: FallbackChange,
    returns: HarnessFallback.extend({ persistedPath: z.string().nullable() }),
    errors: refusals,
  },
  updateTheme: {
    method: 'patch',
    path: '/api/harness/config/theme',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Set the colours of the daemon’s own page',
    body: z.strictObject({ theme: HarnessTheme, persistGlobal: z.boolean().default(true) }),
    returns: z.strictObject({ theme: z.string(), label: z.string(), persistedPath: z.string().nullable() }),
    errors: refusals,
  },
  runs: {
    method: 'get',
    path: '/api/harness/runs',
    access: 'admin',
    summary: 'List the daemon’s runs, most recently changed first',
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
    summary: 'Start an agent run. Uses the daemon’s provider and model unless you give others',
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
    summary: 'Get a run, what it is waiting for, and the files it wrote, by name and size',
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
      'List the events of a run after the given one (0 for all). As an event stream, it follows the run to its end',
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
    summary: 'Cancel a run. An `active` one ends a little later',
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
    summary: 'Answer a run’s request to use a tool. `resolution` is an alias of `decision`',
    params: RunId.extend({ toolCallId: HarnessId }),
    body: z.union([z.strictObject({ decision: HarnessDecision }), z.strictObject({ resolution: HarnessDecision })]),
    returns: z.strictObject({ runId: HarnessId, toolCallId: HarnessId, decision: HarnessDecision }),
    errors: [...ofRuns, 'permission_gone'],
  },
  usage: {
    method: 'get',
    path: '/api/harness/usage',
    access: 'admin',
    summary: 'Get the daemon’s usage, in total and by call',
    query: Limit(250, 1000).extend({ provider: z.string().trim().min(1).max(100).optional() }),
    returns: HarnessUsage,
    errors: refusals,
  },
  automations: {
    method: 'get',
    path: '/api/harness/automations',
    access: 'admin',
    summary: 'List the daemon’s automations: active ones first, then by next run',
    query: Limit(50, 200),
    returns: z.strictObject({ items: z.array(HarnessAutomation), nextCursor: z.null() }),
    errors: refusals,
  },
  createAutomation: {
    method: 'post',
    path: '/api/harness/automations',
    access: 'admin',
    audit: 'harness-automation.create',
    summary: 'Create a daemon automation. Its times are those of the daemon’s machine',
    body: AutomationBody,
    returns: HarnessAutomation,
    errors: [...refusals, 'harness_conflict'],
  },
  readAutomation: {
    method: 'get',
    path: '/api/harness/automations/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'Get a daemon automation',
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
    summary: 'Update a daemon automation',
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
    summary: 'Delete a daemon automation. Its runs are kept',
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
    summary: 'Resume a paused automation from its next scheduled time',
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
