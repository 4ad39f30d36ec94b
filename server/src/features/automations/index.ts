/**
 * Automations of an account: instructions that are asked of a model on a schedule, when something happens, by a webhook or by hand, each run an
 * answer in a chat. There is one run for each occurrence, however many processes there are and whenever one dies. They act
 * as their owner, with the rights and the budget that the owner has at that time. What is written by owners and brought
 * along by triggers is sealed; when things run is not. It refuses to run what its owner may not ask.
 */
import type { automationsArea } from '@atrium/contract/automations'
import { z } from 'zod'
import type { ResourcesOf } from '../../core/resources/index.ts'
import { jsonBytes } from '../../platform/archive/write.ts'
import { type JobHandlers, defineJob } from '../../platform/jobs/types.ts'
import { dayMs } from '../../platform/time/index.ts'
import type { AutomationContext, AutomationsDeps } from './context.ts'
import { costLeft } from './costs.ts'
import { beginRuns } from './begin-runs.ts'
import { isEnded } from './execute.ts'
import { automationHandlers, toAutomation } from './handlers.ts'
import { automationTools } from './tools.ts'
import { hookHandlers } from './hook-handlers.ts'
import { runHandlers } from './run-handlers.ts'
import { mailJobs } from './targets/mail.ts'
import { createScheduler, runJob } from './scheduler.ts'
import { createAutomationSearch } from './search.ts'
import type { EventWatch } from '../../platform/areas/event-watch.ts'
import type { AreaEvent } from './events/rules.ts'
import { createEventStore } from './stores/events.ts'
import { createAutomationStore } from './stores/automations.ts'
import { createRunStore, rowToRun } from './stores/runs.ts'

const upkeepJob = 'automations.upkeep'
/** Runs are kept so long, and at least so many of each automation. */
const keptMs = 90 * dayMs
const keptRuns = 100

export const createAutomations = (deps: AutomationsDeps) => {
  const events = createEventStore(deps.database)
  const parts = { ...deps, events, automations: createAutomationStore(deps), runs: createRunStore(deps.database) }
  const scheduler = createScheduler(parts)
  const context: AutomationContext = { ...parts, wake: scheduler.wake }
  deps.chats.askerOf.fill(async ({ chatId, messageId }) => {
    const run = await parts.runs.ofAnswer(chatId, messageId)
    const automation = run && (await parts.automations.read(run.automation_id, null))
    return automation && { mostCost: costLeft(automation.content, run), tells: !isEnded(run) }
  })
  const ofAutomations = automationHandlers(context)
  /** How the area that has something happen tells of it; null: nobody can wait for that. */
  const watchFor = <Happening>(toEvent: (happening: Happening) => AreaEvent | null): EventWatch<Happening> => ({
    async note(trx, happening) {
      const event = toEvent(happening)
      return event !== null && (await events.note(trx, event, deps.clock.id(), deps.clock.now()))
    },
    wake: scheduler.wake,
  })
  return {
    watchFor,
    on: {
      // A tool asks something, or somebody decided.
      'tools-changed': (accountId: string) => {
        parts.runs
          .hasOpen(accountId)
          .then((isOpen) => isOpen && scheduler.sweepSoon())
          .catch((error: unknown) => deps.log.warn('Runs of automations were not looked at.', { error }))
      },
      'calendar-changed': (accountId: string) => {
        events
          .lookSoon(accountId, deps.clock.now())
          .then((isAwaited) => isAwaited && scheduler.wake())
          .catch((error: unknown) => deps.log.warn('Automations were not told of a changed calendar.', { error }))
      },
    },
    handlers: { ...ofAutomations, ...runHandlers(context), ...hookHandlers(context) },
    tools: automationTools(ofAutomations),
    jobs: automationJobs(context),
    every: [[upkeepJob, dayMs]] as const,
    resources: automationResources(context),
    listening: async () => scheduler.start(),
    leave: scheduler.leave,
    stop: scheduler.stop,
  }
}

const automationJobs = (context: AutomationContext): JobHandlers => ({
  ...mailJobs(context),
  [runJob]: defineJob({
    // Jobs of a former version begin one run.
    payload: z.union([z.strictObject({ runIds: z.array(z.string()) }), z.strictObject({ runId: z.string() })]),
    attempts: 5,
    // It leaves the other places of its process to others.
    atOnce: 1,
    timeoutMs: 5 * 60_000,
    // It asks a model of somebody else.
    outward: true,
    run: (given, { signal }) => beginRuns(context, 'runIds' in given ? given.runIds : [given.runId], signal),
  }),
  [upkeepJob]: defineJob({
    payload: z.strictObject({}),
    attempts: 3,
    priority: 'low',
    timeoutMs: 10 * 60_000,
    run: () => context.runs.removeOld(context.clock.now() - keptMs, keptRuns),
  }),
})

const automationResources = (context: AutomationContext): ResourcesOf<typeof automationsArea> => {
  const { automations, chats, clock, runs, vault } = context
  return {
    automation: {
      search: createAutomationSearch(context),
      count: automations.count,
      async *export(accountId, signal) {
        const keyring = await vault.keyring(accountId)
        const own = await automations.list(accountId)
        yield file(
          'automations.json',
          own.map((automation) => toAutomation(automation, undefined)),
        )
        const all: object[] = []
        for (let cursor: string | null | undefined; cursor !== null; ) {
          signal.throwIfAborted()
          const page = await runs.page(accountId, { limit: 200, cursor })
          for (const run of page.items)
            all.push({
              ...rowToRun(run),
              payload: run.payload && keyring.open('automation_runs.payload', run.id, run.payload),
            })
          cursor = page.nextCursor
        }
        yield file('automation-runs.json', all)
      },
      transfer: { never: 'It acts with the rights, keys and decisions of its owner.' },
      async removeAccount(accountId) {
        for (const id of await automations.removeAccount(accountId)) await chats.stop(accountId, id)
      },
    },
  }

  function file(name: string, content: unknown) {
    return { name, modifiedAt: clock.now(), pack: true, content: jsonBytes(content) } as const
  }
}
