/**
 * Begins what is due: sleeps until what comes next, wakes when that changes, in any process, and takes what is due in
 * batches. A run is written in the transaction that moves the time of its automation on, so there is one for each
 * occurrence, and a crash in between loses nothing.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as rest } from 'node:timers/promises'
import { type AutomationContext, type StoredAutomation, announceChanges } from './context.ts'
import { takeCalendarStarts, takeEvents, takeSeparateEvents } from './events/take.ts'
import { finishRun } from './execute.ts'
import { createTimes, planDue } from './schedule.ts'
import { type DuePlan, moveAllOn } from './stores/due-runs.ts'
import { markDispatched } from './stores/open-runs.ts'
import { newRun } from './stores/runs.ts'
import type { AutomationTables, RunRow } from './tables.ts'

export const runJob = 'automations.run'
const channel = 'automations'
const batch = 100
/** So many runs a job begins. */
const runsOfJob = 25
/** So many processes may look at once without being in each other’s way. */
const mostProcesses = 4
/** Clocks are set, messages get lost: so often it looks in any case. */
const mostSleepMs = 15_000
/** A decision takes a moment until the answer goes on. */
const sweepSoonMs = 1000
/** Of many words that something is due sooner, those that came meanwhile are one. */
const againMs = 20
/** What cannot be read stays due: nobody is kept busy with it. */
const leastSleepMs = 50
/** How long the job of a run may take to begin it before it gets another one. */
const lostJobMs = 10 * 60_000

export interface Scheduler {
  /** Something may be due sooner, here and in other processes. */
  wake(): void
  /** Runs that go on may have ended, or wait for somebody: they are looked at soon. */
  sweepSoon(): void
  start(): void
  /** Takes nothing more; other processes do. */
  leave(): void
  stop(): Promise<void>
}

export const createScheduler = (context: Omit<AutomationContext, 'wake'>): Scheduler => {
  const { database, log } = context
  let timer: NodeJS.Timeout | null = null
  let looking: Promise<void> | null = null
  let again = false
  let stopped = true
  let unlisten: (() => void) | null = null
  /** When runs that go on, and jobs that were lost, were looked for. */
  let sweptAt = -Infinity

  const sleep = (ms: number): void => {
    if (timer) clearTimeout(timer)
    timer = stopped ? null : setTimeout(look, ms).unref()
  }
  const look = (): void => {
    if (stopped) return
    if (looking) {
      again = true
      return
    }
    looking = lookOnce()
      .catch((error: unknown) => {
        log.warn('Automations that are due could not be looked for; that is tried again.', { error })
        return mostSleepMs
      })
      .then((ms) => {
        looking = null
        sleep(again ? againMs : ms)
        again = false
      })
  }
  const wake = (): void => {
    look()
    database.notify(channel, '').catch((error: unknown) => {
      log.warn('Other processes could not be told about automations.', { error })
    })
  }
  const full: AutomationContext = { ...context, wake }

  /** Rests as long as it took, so that others get to the database in between, however much is due. */
  const paced = async (take: (context: AutomationContext) => Promise<boolean>): Promise<boolean> => {
    const began = performance.now()
    const isMore = await take(full)
    if (isMore) await rest(performance.now() - began)
    return isMore
  }
  /** Gives how long there is nothing to do. */
  const lookOnce = async (): Promise<number> => {
    await sweep()
    while ((await paced(takeDue)) && !stopped);
    while ((await takeEvents(full)) && !stopped);
    while ((await takeSeparateEvents(full)) && !stopped);
    while ((await takeCalendarStarts(full)) && !stopped);
    while ((await paced(dispatch)) && !stopped);
    const now = full.clock.now()
    const times = [await full.automations.nextDue(), await full.runs.nextDue(), await full.events.nextDue()]
    const next = Math.min(...times.map((time) => time ?? Infinity))
    return Math.max(leastSleepMs, Math.min(next, sweptAt + mostSleepMs) - now)
  }
  /** What nobody tells of: it is not due more often because something else is. */
  const sweep = async (): Promise<void> => {
    const now = full.clock.now()
    if (now >= sweptAt && now < sweptAt + mostSleepMs) return
    sweptAt = now
    await full.runs.redispatch(now - lostJobMs)
    for (let after = ''; !stopped; ) {
      const rows = await full.runs.running(after, batch)
      for (const row of rows) await finishRun(full, row)
      const last = rows.at(-1)
      if (!last || rows.length < batch) return
      after = last.id
    }
  }

  const leave = (): void => {
    stopped = true
    if (timer) clearTimeout(timer)
    unlisten?.()
    unlisten = null
  }

  return {
    wake,
    sweepSoon() {
      sweptAt = Math.min(sweptAt, context.clock.now() + sweepSoonMs - mostSleepMs)
      look()
    },
    start() {
      stopped = false
      unlisten = database.listen(channel, look, look)
      look()
    },
    leave,
    async stop() {
      leave()
      await looking
    },
  }
}

/** Of many that are due, processes that look at the same time take different ones. Gives none once there are none. */
const someOf = async <T>(size: number, read: (offset: number) => Promise<readonly T[]>): Promise<readonly T[]> => {
  const offset = size * randomInt(mostProcesses)
  const some = await read(offset)
  return some.length === 0 && offset > 0 ? await read(0) : some
}

/** Takes a batch of automations whose time has come; gives whether there may be more. */
const takeDue = async (context: AutomationContext): Promise<boolean> => {
  const now = context.clock.now()
  const due = await someOf(batch, (offset) => context.automations.due(now, batch, offset))
  await takeAll(context, due)
  return due.length > 0
}

/** Writes the runs of automations whose time has come, and moves them on; not of what was changed since it was read. */
export const takeAll = async (context: AutomationContext, due: readonly StoredAutomation[]): Promise<void> => {
  if (due.length === 0) return
  const plans = due.map((automation) => planOf(context, automation))
  const taken = await context.database.write<AutomationTables, DuePlan[]>((trx) => moveAllOn(trx, plans), channel)
  await announceChanges(
    context,
    taken.map(({ automation }) => automation.accountId),
  )
}

const planOf = (context: AutomationContext, automation: StoredAutomation) => {
  try {
    return planRuns(context, automation)
  } catch (error) {
    // The rules of its zone changed, say: nothing is scheduled for it, and everything else goes on.
    context.log.warn('The schedule of an automation cannot be understood any more.', {
      automation: automation.id,
      error,
    })
    return { automation, next: null, rows: [] }
  }
}

const planRuns = ({ clock }: AutomationContext, automation: StoredAutomation) => {
  const now = clock.now()
  const { content, startedCount } = automation
  const { run, missed, next } = planDue(createTimes(content, automation.updatedAt), {
    nextRunAt: automation.nextRunAt ?? now,
    now,
    missed: content.missed,
    left: content.mostRuns === null ? null : content.mostRuns - startedCount,
  })
  const rowFor = (at: number): RunRow =>
    newRun({
      id: clock.id(),
      automation_id: automation.id,
      account_id: automation.accountId,
      occurrence: `time:${at}`,
      started_by: 'schedule',
      scheduled_for: at,
      created_at: now,
    })
  const ended = { state: 'missed', reason: 'server_was_off', ended_at: now, seen: 0 } as const
  const rows = [...missed.map((at) => ({ ...rowFor(at), ...ended })), ...run.map(rowFor)]
  return { automation, next, rows }
}

/** Makes a job for runs that are due; gives whether there may be more. */
const dispatch = async ({ clock, database, jobs, runs }: AutomationContext): Promise<boolean> => {
  const now = clock.now()
  const rows = await someOf(runsOfJob, (offset) => runs.undispatched(now, runsOfJob, offset))
  if (rows.length === 0) return false
  const job = await jobs.prepare(runJob, { runIds: rows.map(({ id }) => id) })
  const isMade = await database.write<AutomationTables, boolean>(async (trx) => {
    // Another process may have made one for some of them: each begins only once.
    if ((await markDispatched(trx, rows)) === 0) return false
    await job.write(trx)
    return true
  }, channel)
  if (isMade) await job.tell()
  return true
}
