/** What the agent daemon has, as the bridge gives it: its own names in camel case, times in RFC 3339. */
import { z } from 'zod'
import { Time } from '../common.ts'

/** Of runs, automations, and the tool calls of a run. */
export const HarnessId = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'it is made of letters, digits, _ and -')

export const HarnessRunKind = z.enum(['chat', 'goal'])
export const HarnessRunState = z.enum(['queued', 'running', 'blocked', 'done', 'failed', 'cancelled'])
export type HarnessRunState = z.infer<typeof HarnessRunState>

export const HarnessRun = z.strictObject({
  runId: HarnessId,
  state: HarnessRunState,
  /** The task on one line, of 120 characters at most. */
  title: z.string(),
  kind: HarnessRunKind,
  provider: z.string().nullable(),
  model: z.string().nullable(),
  workingDirectory: z.string().nullable(),
  createdAt: Time.nullable(),
  updatedAt: Time.nullable(),
  /** Where the daemon keeps what it wrote of the run, on its own machine. */
  path: z.string().nullable(),
})
export type HarnessRun = z.infer<typeof HarnessRun>

export const harnessArtifactNames = [
  'events.jsonl',
  'plan.md',
  'summary.md',
  'verification.md',
  'diff.patch',
  'browser.md',
] as const

export const HarnessArtifact = z.strictObject({
  name: z.enum(harnessArtifactNames),
  exists: z.boolean(),
  sizeBytes: z.number().int(),
})
export type HarnessArtifact = z.infer<typeof HarnessArtifact>

export const HarnessRunDetails = z.strictObject({
  run: HarnessRun,
  /** The daemon works on it just now. */
  active: z.boolean(),
  /** The tool calls that wait for a decision. */
  pendingPermissions: z.array(HarnessId),
  /** Questions that are answered on the daemon's own page. */
  pendingQuestions: z.array(z.strictObject({ requestId: z.string(), questions: z.array(z.string()) })),
  artifacts: z.array(HarnessArtifact),
})
export type HarnessRunDetails = z.infer<typeof HarnessRunDetails>

export const HarnessDecision = z.enum(['allow_once', 'deny', 'always_allow_tool'])
export type HarnessDecision = z.infer<typeof HarnessDecision>

const Text = z.string().optional()
const Count = z.number().optional()

/** What is told of an event; which of these are there follows from its type. */
export const HarnessEventData = z.strictObject({
  /** `assistant_delta`. */
  text: Text,
  /** `user_message`, and what came of a tool under `tool_result`; cut where it is very long. */
  content: Text,
  attachments: z.array(z.strictObject({ fileName: z.string(), mediaType: z.string() })).optional(),
  /** `tool_call`, `permission_request`, `permission_response`, `tool_result`. */
  toolCallId: Text,
  name: Text,
  /** As JSON; cut where it is very long. */
  arguments: Text,
  /** Of a permission; a daemon may have answers that this bridge does not give. */
  resolution: Text,
  isError: z.boolean().optional(),
  kind: Text,
  provider: Text,
  model: Text,
  surface: Text,
  workingDirectory: Text,
  /** `usage`. */
  inputTokens: Count,
  outputTokens: Count,
  cachedTokens: Count,
  cacheWriteTokens: Count,
  reasoningTokens: Count,
  cost: Count,
  /** `provider_fallback`, `provider_cooldown_started`, `cancelled`. */
  reason: Text,
  failures: Count,
  retryAfterMs: Count,
  /** `error`, `automation_error` and what is queued. */
  message: Text,
  source: Text,
  /** `run_finished`. */
  state: Text,
  requestId: Text,
  questions: z.array(z.string()).optional(),
  /** Events of automations. */
  automationId: Text,
  schedule: Text,
  route: Text,
  reportPath: Text,
  timeoutMs: Count,
  /** `user_goal`, `goal_judge`, `goal_complete`. */
  goal: Text,
  done: z.boolean().optional(),
  confidence: Count,
  nextPrompt: Text,
})
export type HarnessEventData = z.infer<typeof HarnessEventData>

export const HarnessEvent = z.strictObject({
  /** 1, 2, 3 … in each run. */
  eventId: z.number().int().min(1),
  timestamp: Time.nullable(),
  /** The daemon's word. Of types that this bridge does not know, nothing but the type is told. */
  type: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  data: HarnessEventData,
})
export type HarnessEvent = z.infer<typeof HarnessEvent>

/** What a stream of a run tells: each event under its number, and `done` once the run is over, under that of the last one. */
export const HarnessRunEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('event'), data: HarnessEvent }),
  z.strictObject({ type: z.literal('done'), data: z.strictObject({ state: HarnessRunState }) }),
])
export type HarnessRunEvent = z.infer<typeof HarnessRunEvent>

export const HarnessModel = z.strictObject({
  provider: z.string(),
  model: z.string(),
  contextWindowTokens: z.number().int().nullable(),
  detectedContextWindowTokens: z.number().int().nullable(),
  detectedMaxCompletionTokens: z.number().int().nullable(),
})
export type HarnessModel = z.infer<typeof HarnessModel>

const FallbackRoute = z.strictObject({
  provider: z.string().trim().min(1).max(100),
  model: z.string().trim().min(1).max(200),
  /** The name of the variable, on the daemon's machine, that holds the key. */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'write the name of a variable')
    .nullable()
    .default(null),
})
export const HarnessFallback = z.strictObject({
  enabled: z.boolean(),
  recheckAfterAttempts: z.number().int().nullable(),
  routes: z.array(z.strictObject({ provider: z.string(), model: z.string(), apiKeyEnv: z.string().nullable() })),
})
export type HarnessFallback = z.infer<typeof HarnessFallback>
export const FallbackChange = z.strictObject({
  routes: z.array(FallbackRoute).max(3),
  enabled: z.boolean().optional(),
  recheckAfterAttempts: z.number().int().min(1).max(1000).optional(),
  persistGlobal: z.boolean().optional(),
})

export const harnessThemes = [
  'lobster',
  'lobster-light',
  'github-dark',
  'github-light',
  'monokai-pro',
  'night-owl',
  'tokyo-night',
  'ayu',
  'dracula',
  'catppuccin-mocha',
  'catppuccin-latte',
  'gruvbox-dark',
  'nord',
  'solarized-dark',
  'solarized-light',
  'one-dark-pro',
  'rose-pine',
  'kanagawa',
  'matrix',
] as const
export const HarnessTheme = z.enum(harnessThemes)

const counters = {
  requests: z.number().int(),
  runs: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  cachedTokens: z.number().int(),
  reasoningTokens: z.number().int(),
  totalTokens: z.number().int(),
  /** null where the daemon knows no prices. */
  cost: z.number().nullable(),
}
const Named = z.strictObject({ name: z.string(), ...counters })
export const HarnessUsage = z.strictObject({
  summary: z.strictObject({ ...counters, byModel: z.array(Named), bySurface: z.array(Named) }),
  /** The newest 100. */
  records: z.array(
    z.strictObject({
      runId: HarnessId,
      title: z.string(),
      state: z.string(),
      provider: z.string().nullable(),
      model: z.string().nullable(),
      surface: z.string().nullable(),
      timestamp: Time.nullable(),
      inputTokens: z.number().int(),
      outputTokens: z.number().int(),
      totalTokens: z.number().int(),
      cost: z.number().nullable(),
    }),
  ),
  /** The daemon's own report. */
  text: z.string(),
})
export type HarnessUsage = z.infer<typeof HarnessUsage>
