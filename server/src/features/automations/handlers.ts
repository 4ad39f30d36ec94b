/** Automations: made, changed, paused, removed, and when they will run. */
import type { Automation, AutomationContent, automationsRoutes } from '@atrium/contract/automations'
import type { Caller, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { dayMs } from '../../platform/time/index.ts'
import { toIsoTime, toIsoTimeOrNull } from '../../platform/iso-time.ts'
import { type AutomationContext, type StoredAutomation, announceChange } from './context.ts'
import { type MonthSum, monthStart, toCost } from './costs.ts'
import { isEventTrigger } from './events/rules.ts'
import { requireSource } from './events/sources.ts'
import { type Times, createTimes, timesOf } from './schedule.ts'
import { takeAll } from './scheduler.ts'
import { reachesByMail } from './targets/mail.ts'
import { requireScopes } from './token-scopes.ts'
import type { AutomationChange } from './stores/automations.ts'
import type { RunRow } from './tables.ts'

type Routes = Pick<
  typeof automationsRoutes,
  'list' | 'create' | 'preview' | 'occurrences' | 'read' | 'update' | 'remove' | 'pause' | 'resume'
>

const shownTimes = 5
const mostRangeMs = 62 * dayMs
const mostOccurrences = 200

export const automationHandlers = (context: AutomationContext): Handlers<Routes> => {
  const { automations, clock } = context

  const presentAll = async (items: readonly StoredAutomation[]): Promise<Automation[]> => {
    const runs = await context.runs.readMany(items.flatMap(({ lastRunId }) => lastRunId ?? []))
    const byId = new Map(runs.map((run) => [run.id, run]))
    const sums = await context.runs.sumSince(
      items.map(({ id }) => id),
      monthStart(clock.now()),
    )
    return items.map((item) => toAutomation(item, byId.get(item.lastRunId ?? ''), sums.get(item.id)))
  }
  const present = async (id: string, accountId: string): Promise<Automation> => {
    const [shown] = await presentAll([await requireAutomation(context, id, accountId)])
    if (!shown) throw fail('automation_not_found')
    return shown
  }
  /** Refuses what cannot be kept. */
  const check = async (content: AutomationContent, caller: Caller): Promise<Times> => {
    const { accountId } = caller
    requireScopes(caller, content)
    await requireTarget(context, accountId, content)
    await context.chats.requireTools(accountId, content.tools)
    for (const id of content.collectionIds)
      if (!(await context.documents.readsCollection(accountId, id))) throw fail('collection_not_found')
    for (const trigger of content.triggers)
      if (isEventTrigger(trigger)) await requireSource(context, accountId, trigger, clock.now())
    return createTimes(content, clock.now())
  }
  /** Changes what is there, also where it is changed by something else in the same moment. */
  const change = async (
    id: string,
    accountId: string,
    values: (automation: StoredAutomation, now: number) => AutomationChange,
  ): Promise<Automation> => {
    for (;;) {
      const now = clock.now()
      const automation = await requireAutomation(context, id, accountId)
      if (!(await automations.change(automation, { ...values(automation, now) }))) continue
      context.wake()
      await announceChange(context, accountId)
      return await present(id, accountId)
    }
  }

  return {
    list: async (_input, { caller }) => ({
      items: await presentAll(await automations.list(caller.accountId)),
      nextCursor: null,
    }),

    async create({ body }, { caller }) {
      const times = await check(body, caller)
      const { accountId } = caller
      const now = clock.now()
      const automation: StoredAutomation = {
        id: clock.id(),
        accountId,
        content: body,
        hasSecret: false,
        status: 'active',
        pausedByFailures: false,
        nextRunAt: times.next(now),
        startedCount: 0,
        lastRunId: null,
        version: 1,
        createdAt: now,
        updatedAt: now,
      }
      if (!(await automations.add(automation))) throw fail('automation_limit')
      context.wake()
      await announceChange(context, accountId)
      return toAutomation(automation, undefined)
    },

    async preview({ body }) {
      const now = clock.now()
      return {
        next: following(createTimes(body, now), now),
        triggers: body.triggers.map((trigger) => ({ trigger, next: following(timesOf(trigger, now), now) })),
      }
    },

    async occurrences({ query }, { caller }) {
      const [from, to] = [Date.parse(query.from), Date.parse(query.to)]
      if (to <= from || to - from > mostRangeMs)
        throw fail('validation_failed', undefined, [
          { path: 'query.to', message: 'must be after `from`, and at most 62 days later' },
        ])
      const active = (await automations.list(caller.accountId)).filter(({ nextRunAt }) => nextRunAt !== null)
      const items = active.flatMap(({ id, content, nextRunAt, updatedAt, startedCount }) => {
        const left = content.mostRuns === null ? mostOccurrences : content.mostRuns - startedCount
        const times = createTimes(content, updatedAt).between(Math.max(from, nextRunAt ?? from), to, mostOccurrences)
        return times
          .slice(0, Math.max(0, left))
          .map((at) => ({ automationId: id, name: content.name, at: toIsoTime(at) }))
      })
      return { items: items.toSorted((a, b) => (a.at < b.at ? -1 : 1)), nextCursor: null }
    },

    read: ({ params }, { caller }) => present(params.automationId, caller.accountId),

    async update({ params, body }, { caller }) {
      const { accountId } = caller
      for (;;) {
        const now = clock.now()
        const before = await requireAutomation(context, params.automationId, accountId)
        const times = await check(body, caller)
        // What is due by now begins as it was before.
        if (before.nextRunAt !== null && before.nextRunAt <= now) {
          await takeAll(context, [before])
          continue
        }
        const nextRunAt = before.status === 'active' ? times.next(now) : null
        if (!(await automations.replace({ ...before, content: body, nextRunAt, updatedAt: now }))) continue
        context.wake()
        await announceChange(context, accountId)
        return await present(params.automationId, accountId)
      }
    },

    async remove({ params }, { caller: { accountId } }) {
      const answers = await automations.remove(params.automationId, accountId)
      if (!answers) throw fail('automation_not_found')
      for (const id of answers) await context.chats.stop(accountId, id)
      await announceChange(context, accountId)
      return {}
    },

    pause: ({ params }, { caller }) =>
      change(params.automationId, caller.accountId, () => ({ status: 'paused', next_run_at: null })),

    resume: ({ params }, { caller }) =>
      change(params.automationId, caller.accountId, ({ content, updatedAt }, now) => ({
        status: 'active',
        paused_by_failures: 0,
        failures: 0,
        next_run_at: createTimes(content, updatedAt).next(now),
      })),
  }
}

/** Refuses where results cannot go now. */
const requireTarget = async (
  { channels, chats, webhooks, ...context }: AutomationContext,
  accountId: string,
  { target, asksModel }: AutomationContent,
): Promise<void> => {
  if (!asksModel && target.kind === 'chat') throw fail('automation_target_invalid')
  switch (target.kind) {
    case 'chat':
      if (target.sessionId !== null && !(await chats.owns(accountId, target.sessionId))) throw fail('chat_not_found')
      return
    case 'channel':
      return await channels.requireWriter(accountId, target.channelId)
    case 'mail':
      if (!(await reachesByMail(context, accountId))) throw fail('automation_mail_unavailable')
      return
    case 'webhook':
      if (!(await webhooks.isOn(accountId, target.webhookId))) throw fail('webhook_not_found')
  }
}

/** Refuses with `automation_not_found`. */
export const requireAutomation = async (
  { automations }: AutomationContext,
  id: string,
  accountId: string,
): Promise<StoredAutomation> => {
  const automation = await automations.read(id, accountId)
  if (!automation) throw fail('automation_not_found')
  return automation
}

export const toAutomation = (
  { id, content, status, pausedByFailures, nextRunAt, hasSecret, createdAt, updatedAt }: StoredAutomation,
  lastRun: RunRow | undefined,
  month?: MonthSum,
): Automation => ({
  ...content,
  id,
  status,
  pausedByFailures,
  nextRunAt: toIsoTimeOrNull(nextRunAt),
  lastRun: lastRun ? { id: lastRun.id, state: lastRun.state, scheduledFor: toIsoTime(lastRun.scheduled_for) } : null,
  webhookEnabled: hasSecret,
  monthCost: month ? toCost(month) : null,
  createdAt: toIsoTime(createdAt),
  updatedAt: toIsoTime(updatedAt),
})

const following = (times: Times, now: number): string[] => {
  const found: string[] = []
  for (let at = times.next(now); at !== null && found.length < shownTimes; at = times.next(at))
    found.push(toIsoTime(at))
  return found
}
