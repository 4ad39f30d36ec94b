/**
 * The bridge to an agent daemon that runs beside the server: runs, permissions, automations, usage and configuration, for
 * administrators. The daemon owns all of it; nothing is kept here but what it said last, in memory. It refuses to call
 * any other address than the operator's, and any other path than those of the daemon that it knows.
 */
import { agentHarnessRoutes as routes, type HarnessStatus } from '@atrium/contract/agent-harness'
import type { ErrorCode } from '@atrium/contract/errors'
import { actorOf } from '../../platform/audit/index.ts'
import { bindRoutes, type Context } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Platform } from '../../platform/platform.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import type { Daemon } from './daemon/index.ts'
import { DaemonFailure } from './daemon/failure.ts'
import { createRunFollowing } from './follow-runs.ts'
import { absenceOf, refusalOf } from './refusals.ts'
import type { BridgeFields } from './settings.ts'

export { createAskDaemon } from './daemon/ask.ts'
export { createDaemon } from './daemon/index.ts'
export { agentHarnessSettings } from './settings.ts'

export interface AgentHarnessDeps extends Pick<Platform, 'audit' | 'clock' | 'log'> {
  readonly daemon: Daemon
  readonly baseUrl: string
  readonly settings: BoundSettings<BridgeFields>
  /** Between two questions for what is new in a run that somebody follows. */
  readonly pollMs: number
}

type Known = NonNullable<HarnessStatus['lastKnown']>

export const createAgentHarness = (deps: AgentHarnessDeps) => {
  const { daemon, baseUrl, settings, clock } = deps
  let lastKnown: Known | null = null
  const remember = (facts: Partial<Known>): void => {
    const at = new Date(clock.now()).toISOString()
    lastKnown = { model: null, fallback: null, usage: null, runs: null, automations: null, ...lastKnown, ...facts, at }
  }
  /** The daemon, while the bridge to it is switched on. */
  const open = async (): Promise<Daemon> => {
    if (!(await settings.values()).enabled) throw fail('harness_off')
    return daemon
  }
  /** Asks the daemon; its failures become refusals. */
  const ask = async <T>(question: (daemon: Daemon) => Promise<T>, missing: ErrorCode | null = null): Promise<T> => {
    const opened = await open()
    return await question(opened).catch((error: unknown) => {
      throw error instanceof DaemonFailure ? refusalOf(error, missing) : error
    })
  }
  const askRun = <T>(question: (daemon: Daemon) => Promise<T>) => ask(question, 'harness_run_not_found')
  const askAutomation = <T>(question: (daemon: Daemon) => Promise<T>) => ask(question, 'harness_automation_not_found')
  /** What has an id only once the daemon made it. */
  const recordMade = async (
    context: Pick<Context, 'caller' | 'requestId' | 'address' | 'auditedHere'>,
    action: 'harness-run.start' | 'harness-automation.create',
    id: string,
  ): Promise<void> => {
    const [type = action] = action.split('.')
    await deps.audit.record({ ...actorOf(context), action, target: { type, id }, result: 'success', details: {} })
    context.auditedHere()
  }
  const following = createRunFollowing({ daemon: open, log: deps.log, pollMs: deps.pollMs })

  /** Failures on the way become refusals, too. */
  async function* followRun(id: string, after: number, signal: AbortSignal) {
    try {
      yield* following.follow(id, after, signal)
    } catch (error) {
      throw error instanceof DaemonFailure ? refusalOf(error, 'harness_run_not_found') : error
    }
  }
  const readAccess = async () => {
    const { enabled } = await settings.read()
    return { enabled: enabled.value, source: enabled.source }
  }

  const area = bindRoutes({
    name: 'agent-harness',
    routes,
    handlers: {
      async status(_input, { signal }): Promise<HarnessStatus> {
        const { enabled } = await settings.values()
        const place = { baseUrl, dashboardUrl: `${baseUrl}/dashboard` }
        if (!enabled) return { connected: false, ...place, reason: 'switched_off', health: null, lastKnown }
        try {
          const health = await daemon.health(signal)
          return { connected: true, ...place, reason: null, health, lastKnown: null }
        } catch (error) {
          if (!(error instanceof DaemonFailure)) throw error
          return { connected: false, ...place, reason: absenceOf(error), health: null, lastKnown }
        }
      },

      access: readAccess,

      async updateAccess({ body: { enabled } }) {
        await settings.change({ enabled })
        return await readAccess()
      },

      async model(_input, { signal }) {
        const model = await ask((to) => to.model(signal))
        remember({ model })
        return model
      },
      updateModel: ({ body }) => ask((to) => to.setModel(body)),
      async fallback(_input, { signal }) {
        const fallback = await ask((to) => to.fallback(signal))
        remember({ fallback })
        return fallback
      },
      updateFallback: ({ body }) => ask((to) => to.setFallback(body)),
      updateTheme: ({ body: { theme, persistGlobal } }) => ask((to) => to.setTheme(theme, persistGlobal)),

      async runs({ query: { limit } }, { signal }) {
        const items = await ask((to) => to.runs(limit, signal))
        remember({ runs: items })
        return { items, nextCursor: null }
      },

      async startRun({ body }, context) {
        const run = await ask((to) => to.startRun(body))
        await recordMade(context, 'harness-run.start', run.runId)
        return run
      },

      readRun: ({ params: { id } }, { signal }) => askRun((to) => to.run(id, signal)),

      async runEvents({ params: { id }, query: { after, limit } }, context) {
        if (context.streams) {
          // A run that is not there is refused before the stream begins.
          await askRun((to) => to.run(id, context.signal))
          return followRun(id, context.after, context.signal)
        }
        const events = await askRun((to) => to.events(id, after, context.signal, limit + 1))
        const items = events.slice(0, limit)
        const last = items.at(-1)
        return { items, nextCursor: last && items.length < events.length ? String(last.eventId) : null }
      },

      async cancelRun({ params: { id } }) {
        return { runId: id, ...(await askRun((to) => to.cancel(id))) }
      },

      async decide({ params: { id, toolCallId }, body }, context) {
        const decision = 'decision' in body ? body.decision : body.resolution
        const to = await open()
        try {
          await to.decide(id, toolCallId, decision)
        } catch (error) {
          if (!(error instanceof DaemonFailure)) throw error
          if (error.status !== 404 && error.status !== 409) throw refusalOf(error, null)
          // Either the run is not there, or nothing of this name waits in it any more.
          await askRun((asked) => asked.run(id, context.signal))
          throw fail('permission_gone')
        }
        await deps.audit.record({
          ...actorOf(context),
          action: 'harness-run.decide',
          target: { type: 'harness-run', id },
          result: 'success',
          details: { toolCallId, decision },
        })
        context.auditedHere()
        return { runId: id, toolCallId, decision }
      },

      async usage({ query: { limit, provider } }, { signal }) {
        const usage = await ask((to) => to.usage(limit, provider, signal))
        // It is told with every question for the status while the daemon is away.
        if (provider === undefined) remember({ usage: { ...usage, records: usage.records.slice(0, 20) } })
        return usage
      },

      async automations({ query: { limit } }, { signal }) {
        const items = await ask((to) => to.automations(limit, signal))
        remember({ automations: items })
        return { items, nextCursor: null }
      },

      async createAutomation({ body }, context) {
        const automation = await ask((to) => to.createAutomation(body))
        await recordMade(context, 'harness-automation.create', automation.automationId)
        return automation
      },

      readAutomation: ({ params: { id } }, { signal }) => askAutomation((to) => to.automation(id, signal)),
      updateAutomation: ({ params: { id }, body }) => askAutomation((to) => to.updateAutomation(id, body)),
      async removeAutomation({ params: { id } }) {
        await askAutomation((to) => to.removeAutomation(id))
        return {}
      },
      runAutomation: ({ params: { id } }) => askAutomation((to) => to.runAutomation(id)),
      pauseAutomation: ({ params: { id } }) => askAutomation((to) => to.pauseAutomation(id)),
      resumeAutomation: ({ params: { id } }) => askAutomation((to) => to.resumeAutomation(id)),
    },
  })
  return { area, followed: () => following.size, stop: following.stop }
}
