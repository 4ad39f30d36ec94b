/** Ends what dead processes left running. */
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import type { EventLog } from '../../platform/events/types.ts'
import type { Log } from '../../platform/log/log.ts'
import { streamOf } from './follow.ts'
import { answerFromEvents } from './rules.ts'
import type { GenerationStore, StoredRun } from './store.ts'
import type { Outcome, Run, RunEvent, RunKind } from './types.ts'

const everyMs = 5000

interface SweepDeps {
  readonly database: Database
  readonly events: EventLog
  readonly clock: Clock
  readonly log: Log
  readonly processId: string
  readonly store: GenerationStore
  readonly kindOf: (run: Run) => RunKind
  readonly isLive: (id: string) => boolean
  readonly abortLive: (id: string) => void
}

export const createSweep = (deps: SweepDeps) => {
  const { events, store, clock } = deps
  let timer: NodeJS.Timeout | null = null
  let current: Promise<void> | null = null

  const isOrphan = async (run: StoredRun, present: Map<string, boolean>): Promise<boolean> => {
    if (deps.isLive(run.id)) return false
    if (run.owner === deps.processId) return true
    const known = present.get(run.owner) ?? (await deps.database.isPresent(run.owner))
    present.set(run.owner, known)
    return !known
  }

  /** Ends one run whose process is gone, with the text that reached the disk. */
  const interrupt = async (run: StoredRun): Promise<void> => {
    const entries = await events.read<RunEvent>(streamOf(run), 0)
    const outcome: Outcome = {
      state: 'interrupted',
      answer: answerFromEvents(entries.map((entry) => entry.event)),
      failure: { code: 'interrupted', detail: 'The server went away while this was being written.' },
      endedAt: clock.now(),
    }
    const kind = deps.kindOf(run)
    if (!(await store.end(run.id, outcome, null, await kind.finish(run, outcome)))) return
    const writer = await events.resume<RunEvent>(streamOf(run))
    writer.append({ type: 'end', data: { state: 'interrupted' } })
    await writer.close()
    await store.noteLastSeq(run.id, writer.lastSeq)
    await kind.ended?.(run, outcome)
  }

  const reap = async (): Promise<void> => {
    const present = new Map<string, boolean>()
    for (const run of await store.running()) {
      if (run.cancelRequested) deps.abortLive(run.id)
      if (await isOrphan(run, present)) await guarded(run, () => interrupt(run))
    }
  }

  /** One run that cannot be ended must not keep the others from it. */
  const guarded = async (run: StoredRun, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      deps.log.error('a left-over answer could not be ended', { error, generationId: run.id })
    }
  }

  const schedule = (): void => {
    timer = setTimeout(() => {
      current = reap()
        .catch((error: unknown) => deps.log.error('looking for left-over answers failed', { error }))
        .finally(() => {
          if (timer) schedule()
        })
    }, everyMs)
    timer.unref()
  }

  return {
    reap,
    async begin(): Promise<void> {
      await reap()
      schedule()
    },
    async end(): Promise<void> {
      if (timer) clearTimeout(timer)
      timer = null
      await current
    },
  }
}
