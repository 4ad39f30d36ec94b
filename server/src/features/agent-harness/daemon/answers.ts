/** Answers of the daemon: each is read into the shape that the contract has of it. Throws DaemonFailure `bad-answer`. */
import {
  HarnessAutomationRoute,
  HarnessAutomationStatus,
  HarnessId,
  HarnessRunKind,
  HarnessRunState,
  harnessArtifactNames,
  type HarnessAutomation,
  type HarnessEvent,
  type HarnessFallback,
  type HarnessModel,
  type HarnessRun,
  type HarnessRunDetails,
  type HarnessStatus,
  type HarnessUsage,
} from '@atrium/contract/agent-harness'
import { z } from 'zod'
import { questionsOf, readEvents } from './events.ts'
import { DaemonFailure } from './failure.ts'
import { cost, count, optionalText, textUpTo, time } from './fields.ts'

const read = <S extends z.ZodType>(schema: S, answer: unknown): z.output<S> => {
  const { success, data } = schema.safeParse(answer)
  if (!success) throw new DaemonFailure('bad-answer', 'The daemon answered with something else than was asked for.')
  return data
}

/** A list without what is not in the right form. */
const listOf = <S extends z.ZodType>(item: S) =>
  z.array(z.unknown()).transform((all) =>
    all.flatMap((one) => {
      const { success, data } = item.safeParse(one)
      return success ? [data] : []
    }),
  )

const path = optionalText(4096)
const name = optionalText(200)

const Run = z
  .object({
    run_id: HarnessId,
    state: HarnessRunState,
    title: textUpTo(500).catch(''),
    kind: HarnessRunKind.catch('chat'),
    provider: name,
    model: name,
    working_directory: path,
    created_at: time,
    updated_at: time,
    path,
  })
  .transform(
    ({ run_id, working_directory, created_at, updated_at, ...run }): HarnessRun => ({
      runId: run_id,
      ...run,
      workingDirectory: working_directory,
      createdAt: created_at,
      updatedAt: updated_at,
    }),
  )

const RunDetails = z
  .object({
    run: Run,
    active: z.boolean(),
    pending_permissions: listOf(HarnessId).catch([]),
    pending_questions: listOf(z.object({ request_id: textUpTo(200), questions: z.unknown().optional() })).catch([]),
    artifacts: z.record(z.string(), z.object({ exists: z.boolean().catch(false), size: count })).catch({}),
  })
  .transform(
    ({ run, active, pending_permissions, pending_questions, artifacts }): HarnessRunDetails => ({
      run,
      active,
      pendingPermissions: pending_permissions,
      pendingQuestions: pending_questions.map(({ request_id, questions }) => ({
        requestId: request_id,
        questions: questionsOf(questions),
      })),
      artifacts: harnessArtifactNames.flatMap((file) => {
        const artifact = artifacts[file]
        return artifact ? [{ name: file, exists: artifact.exists, sizeBytes: artifact.size }] : []
      }),
    }),
  )

const Automation = z
  .object({
    automation_id: HarnessId,
    name: textUpTo(200),
    prompt: textUpTo(200_000).catch(''),
    schedule: textUpTo(200),
    route: HarnessAutomationRoute.catch('report'),
    status: HarnessAutomationStatus,
    provider: name,
    model: name,
    working_directory: path,
    created_at: time,
    updated_at: time,
    next_run_at: time,
    last_run_at: time,
    last_run_id: HarnessId.nullish().catch(null),
    telegram_chat_id: name,
    report_path: path,
  })
  .transform(
    (one): HarnessAutomation => ({
      automationId: one.automation_id,
      name: one.name,
      prompt: one.prompt,
      schedule: one.schedule,
      route: one.route,
      status: one.status,
      provider: one.provider,
      model: one.model,
      workingDirectory: one.working_directory,
      createdAt: one.created_at,
      updatedAt: one.updated_at,
      nextRunAt: one.next_run_at,
      lastRunAt: one.last_run_at,
      lastRunId: one.last_run_id ?? null,
      telegramChatId: one.telegram_chat_id,
      reportPath: one.report_path,
    }),
  )

const window = z.number().int().nullish().catch(null)
const modelFields = {
  provider: textUpTo(200).catch(''),
  model: textUpTo(200).catch(''),
  context_window_tokens: window,
  detected_context_window_tokens: window,
  detected_max_completion_tokens: window,
}
const Model = z.object(modelFields)
const toModel = (model: z.output<typeof Model>): HarnessModel => ({
  provider: model.provider,
  model: model.model,
  contextWindowTokens: model.context_window_tokens ?? null,
  detectedContextWindowTokens: model.detected_context_window_tokens ?? null,
  detectedMaxCompletionTokens: model.detected_max_completion_tokens ?? null,
})

const Fallback = z.object({
  enabled: z.boolean().catch(false),
  recheck_after_attempts: z.number().int().nullish().catch(null),
  routes: listOf(z.object({ provider: textUpTo(200), model: textUpTo(200), api_key_env: name })),
})
const toFallback = ({ enabled, recheck_after_attempts, routes }: z.output<typeof Fallback>): HarnessFallback => ({
  enabled,
  recheckAfterAttempts: recheck_after_attempts ?? null,
  routes: routes.map(({ provider, model, api_key_env }) => ({ provider, model, apiKeyEnv: api_key_env })),
})

const counters = {
  requests: count,
  runs: count,
  input_tokens: count,
  output_tokens: count,
  cached_tokens: count,
  reasoning_tokens: count,
  total_tokens: count,
  cost,
}
const Counters = z.object(counters)
const toCounters = (sum: z.output<typeof Counters>) => ({
  requests: sum.requests,
  runs: sum.runs,
  inputTokens: sum.input_tokens,
  outputTokens: sum.output_tokens,
  cachedTokens: sum.cached_tokens,
  reasoningTokens: sum.reasoning_tokens,
  totalTokens: sum.total_tokens,
  cost: sum.cost,
})
const Named = Counters.extend({ name: textUpTo(200) }).transform((one) => ({ name: one.name, ...toCounters(one) }))

const Usage = z.object({
  summary: Counters.extend({ by_model: listOf(Named).catch([]), by_surface: listOf(Named).catch([]) }),
  records: listOf(
    z.object({
      run_id: HarnessId,
      title: textUpTo(500).catch(''),
      state: textUpTo(40).catch(''),
      provider: name,
      model: name,
      surface: name,
      timestamp: time,
      input_tokens: count,
      output_tokens: count,
      total_tokens: count,
      cost,
    }),
  ).catch([]),
  text: textUpTo(200_000).catch(''),
})

const Health = z.object({
  active_runs: count,
  telegram_bridge: z
    .enum(['disabled', 'external', 'missing_token', 'stopped', 'failed', 'running'])
    .nullish()
    .catch(null),
})

export const readHealth = (answer: unknown): NonNullable<HarnessStatus['health']> => {
  const { active_runs, telegram_bridge } = read(Health.extend({ ok: z.literal(true) }), answer)
  return { activeRuns: active_runs, telegramBridge: telegram_bridge ?? null }
}
export const readModel = (answer: unknown): HarnessModel => toModel(read(Model, answer))
export const readModelChange = (answer: unknown) => {
  const changed = read(z.object({ ...modelFields, persisted_path: path, automations_updated: count }), answer)
  return {
    ...toModel(changed),
    persistedPath: changed.persisted_path,
    automationsUpdated: changed.automations_updated,
  }
}
export const readFallback = (answer: unknown): HarnessFallback => toFallback(read(Fallback, answer))
export const readFallbackChange = (answer: unknown) => {
  const changed = read(Fallback.extend({ persisted_path: path }), answer)
  return { ...toFallback(changed), persistedPath: changed.persisted_path }
}
export const readTheme = (answer: unknown) => {
  const changed = read(z.object({ theme: textUpTo(100), label: textUpTo(200).catch(''), persisted_path: path }), answer)
  return { theme: changed.theme, label: changed.label, persistedPath: changed.persisted_path }
}
export const readRuns = (answer: unknown): HarnessRun[] => read(z.object({ runs: listOf(Run) }), answer).runs
export const readStartedRun = (answer: unknown): HarnessRun => read(z.object({ run: Run }), answer).run
export const readRunDetails = (answer: unknown): HarnessRunDetails => read(RunDetails, answer)
export const readRunEvents = async (answer: unknown, after: number, most: number): Promise<HarnessEvent[]> =>
  await readEvents(read(z.object({ events: z.array(z.unknown()) }), answer).events, after, most)
export const readCancellation = (answer: unknown) =>
  read(z.object({ cancelled: z.boolean(), active: z.boolean().catch(false) }), answer)
export const readAutomations = (answer: unknown): HarnessAutomation[] =>
  read(z.object({ automations: listOf(Automation) }), answer).automations
export const readAutomation = (answer: unknown): HarnessAutomation =>
  read(z.object({ automation: Automation }), answer).automation
export const readAutomationRun = (answer: unknown) => read(z.object({ run: Run, automation: Automation }), answer)
export const readUsage = (answer: unknown): HarnessUsage => {
  const { summary, records, text: report } = read(Usage, answer)
  return {
    summary: { ...toCounters(summary), byModel: summary.by_model, bySurface: summary.by_surface },
    records: records.slice(0, 1000).map((one) => ({
      runId: one.run_id,
      title: one.title,
      state: one.state,
      provider: one.provider,
      model: one.model,
      surface: one.surface,
      timestamp: one.timestamp,
      inputTokens: one.input_tokens,
      outputTokens: one.output_tokens,
      totalTokens: one.total_tokens,
      cost: one.cost,
    })),
    text: report,
  }
}
