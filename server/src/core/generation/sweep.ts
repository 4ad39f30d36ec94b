/** Ends what dead processes left running. */
import type { Platform } from '../../platform/platform.ts'
import { endCalls, stateWhenAborted } from './end-calls.ts'
import { streamOf } from './follow.ts'
import { answerFromEvents } from './rules.ts'
import type { GenerationStore, StoredRun } from './store.ts'
import type { RunOutcome, Run, RunEvent, RunKind } from './types.ts'
import { abortRun, type LiveRun } from './write-run.ts'

/** A process that is gone is noticed within ten seconds, of which the database takes seven at most: see `isGone`. */
const everyMs = 2500

interface SweepDeps extends Pick<Platform, 'clock' | 'database' | 'events' | 'log' | 'processId'> {
  readonly store: GenerationStore
  readonly kindOf: (run: Run) => RunKind
  readonly isLive: (id: string) => boolean
  readonly cancelLive: (id: string) => void
  /** What this process writes and has in the table. */
  readonly stored: () => readonly LiveRun[]
  readonly sweepMs?: number
}

export const createSweep = (deps: SweepDeps) => {
  const { events, store, clock } = deps
  let timer: NodeJS.Timeout | null = null
  let current: Promise<void> | null = null

  /** Runs that nobody writes any more. */
  const orphansAmong = async (runs: readonly StoredRun[]): Promise<StoredRun[]> => {
    const others = new Set(runs.map(({ owner }) => owner))
    others.delete(deps.processId)
    const gone = new Set<string>()
    await Promise.all([...others].map(async (owner) => (await deps.database.isGone(owner)) && gone.add(owner)))
    return runs.filter(({ id, owner }) => (owner === deps.processId ? !deps.isLive(id) : gone.has(owner)))
  }

  /** Ends one run whose process is gone, with the text that reached the disk. */
  const interrupt = async (run: StoredRun): Promise<void> => {
    const kind = deps.kindOf(run)
    const stream = streamOf(run, kind)
    const entries = await events.read<RunEvent>(stream, 0)
    const answer = answerFromEvents(entries.map((entry) => entry.event))
    const state = stateWhenAborted('interrupted', answer.toolCalls)
    const endedAt = clock.now()
    const outcome: RunOutcome = {
      state,
      answer: { ...answer, toolCalls: endCalls(answer.toolCalls, state, endedAt) },
      failure:
        state === 'interrupted'
          ? { code: 'interrupted', detail: 'The server stopped while this was being written.' }
          : null,
      endedAt,
    }
    const { write, ended } = await kind.finish(run, outcome)
    if (!(await store.end(run.id, outcome, null, write))) return
    const writer = await events.resume<RunEvent>(stream)
    writer.append({ type: 'end', data: { state } })
    await writer.close()
    await store.noteLastSeq(run.id, writer.lastSeq)
    await ended?.()
  }

  const reap = async (): Promise<void> => {
    const own = deps.stored()
    const running = await store.running()
    const ids = new Set(running.map(({ id }) => id))
    // Others took this process for dead, and have ended what it wrote: its provider is not read, and paid, in vain.
    for (const live of own) if (!ids.has(live.run.id)) abortRun(live, 'taken')
    for (const run of running) if (run.cancelRequested) deps.cancelLive(run.id)
    for (const run of await orphansAmong(running)) await guarded(run, () => interrupt(run))
  }

  /** One run that cannot be ended must not keep the others from it. */
  const guarded = async (run: StoredRun, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      deps.log.error('a left-over answer could not be ended', { error, generationId: run.id })
    }
  }

  const reapAnyway = (): Promise<void> =>
    reap().catch((error: unknown) => deps.log.error('looking for left-over answers failed', { error }))

  const schedule = (): void => {
    timer = setTimeout(() => {
      current = Promise.all([current, reapAnyway()]).then(() => {
        if (timer) schedule()
      })
    }, deps.sweepMs ?? everyMs)
    timer.unref()
  }

  return {
    reap,
    /** Looks now: a message, such as the one that stops an answer here, may have been lost. */
    reapNow: (): void => void (current = Promise.all([current, reapAnyway()]).then(() => undefined)),
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
