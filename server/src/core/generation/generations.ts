/** Runs: started, written, stopped, ended exactly once, and never left behind. */
import type { ToolDecision } from '@atrium/contract/generation'
import { isUniqueViolation, type RetryDelays } from '../../platform/db/index.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Metrics } from '../../platform/metrics/index.ts'
import { createApprovals } from './approvals.ts'
import { type RunEventEntry, followRun, streamIdOf } from './follow.ts'
import { createAnswerRecorder } from './metrics.ts'
import { maxRunningPerAccount } from './rules.ts'
import { createGenerationStore } from './store.ts'
import { createSweep } from './sweep.ts'
import type { Run, RunKind, RunRequest, TransactionWrite } from './types.ts'
import { abortRun, type LiveRun, writeRun } from './write-run.ts'

export interface GenerationDeps extends Pick<Platform, 'clock' | 'database' | 'events' | 'log' | 'processId'> {
  readonly metrics?: Metrics | null
  /** Between two tries to write an end down; other than usual for tests. */
  readonly pauses?: RetryDelays
  /** Between two looks for what dead processes left (default 2500). */
  readonly sweepMs?: number
  /** How long Stop waits until the end is recorded (default 5000). */
  readonly stopMs?: number
}

export interface Generations {
  /** Names what writes the end of runs of a kind. Every kind must be named before `recover`. */
  register(kind: string, behaviour: RunKind): void
  /**
   * Records a run together with what `record` writes, in one transaction, and lets it go on by itself.
   * Refuses with `generation_running` (one per scope), `rate_limited` (per account and process) or `unavailable` (stopping).
   */
  start(request: RunRequest, record?: TransactionWrite): Promise<Run>
  /** Stops a run and waits until its end is recorded; tells who won. null: there is no such run of this account. */
  cancel(id: string, accountId: string): Promise<'cancelled' | 'already-ended' | null>
  /** Stops every running run of these scopes, and waits. */
  cancelScopes(scopeIds: readonly string[]): Promise<void>
  /** Answers a question for permission of a running run. false: it waits for no answer (any more), or not for this one. */
  decide(runId: string, approvalId: string, decision: ToolDecision): Promise<boolean>
  /** The events after `after`; ends with the run. A finished run replays, also after its events are gone. */
  follow(run: Run, after: number, signal: AbortSignal): AsyncIterable<RunEventEntry>
  read(id: string, accountId: string): Promise<Run | null>
  latestOfSubject(subjectId: string, accountId: string): Promise<Run | null>
  latestOfScope(scopeId: string, accountId: string): Promise<Run | null>
  listRunning(accountId: string): Promise<readonly Run[]>
  /** Resolves when the run has ended and its end is recorded. */
  waitUntilEnded(id: string): Promise<void>
  /** Forgets every run of a scope, with its events. */
  removeScope(scopeId: string): Promise<void>
  /** Calls back, and waits, where the runs of a scope are forgotten. */
  onScopeRemoved(remove: (scopeId: string) => Promise<void>): void
  /** How many runs this process is writing just now. */
  readonly liveCount: number
  /** Ends what earlier processes left behind, and keeps doing so. */
  recover(): Promise<void>
  /** Takes no more runs; those that run go on. */
  leave(): void
  /** Ends running answers as `interrupted`, with their text, tells those who follow, and takes no more. */
  stop(): Promise<void>
}

const cancelChannel = 'generation_cancel'

export const createGenerations = (deps: GenerationDeps): Generations => {
  const { database, events, clock, stopMs = usualStopMs } = deps
  const store = createGenerationStore(database)
  const kinds = new Map<string, RunKind>()
  const lives = new Map<string, LiveRun>()
  const removers: ((scopeId: string) => Promise<void>)[] = []
  const stopping = new AbortController()
  let leaving = false
  const recordAnswer = deps.metrics ? createAnswerRecorder(deps.metrics, () => lives.size) : null

  const kindOf = (run: Run): RunKind => {
    const kind = kinds.get(run.kind)
    if (!kind) throw new Error(`no area registered runs of kind ${run.kind}`)
    return kind
  }
  const isLive = (id: string): boolean => lives.has(id)
  const cancelLive = (id: string): void => {
    const live = lives.get(id)
    if (live) abortRun(live, 'cancelled')
  }
  const sweep = createSweep({
    ...deps,
    store,
    kindOf,
    isLive,
    cancelLive,
    stored: () => [...lives.values()].filter((live) => live.isStored),
  })
  const approvals = createApprovals(deps)
  const unlisten = database.listen(cancelChannel, cancelLive, () => sweep.reapNow())

  const cancelHere = async (live: LiveRun): Promise<'cancelled' | 'already-ended'> => {
    if (live.state !== null) return 'already-ended'
    abortRun(live, 'cancelled')
    // The provider is left at once; that it is recorded may have to wait for the database.
    if (!(await within(live.recorded, stopMs))) throw notYet()
    return live.state === 'cancelled' ? 'cancelled' : 'already-ended'
  }

  const cancelElsewhere = async (run: Run): Promise<'cancelled' | 'already-ended'> => {
    await store.requestCancel(run.id)
    await database.notify(cancelChannel, run.id)
    const since = performance.now()
    for (let checks = 1; performance.now() - since < stopMs; checks++) {
      const now = await store.read(run.id, run.accountId)
      if (!now || now.state === 'cancelled') return 'cancelled'
      if (now.state !== 'running') return 'already-ended'
      if (checks % 20 === 0) await sweep.reap()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw notYet()
  }

  const cancel: Generations['cancel'] = async (id, accountId) => {
    const live = lives.get(id)
    if (live?.isStored && live.run.accountId === accountId) return await cancelHere(live)
    const run = await store.read(id, accountId)
    if (!run) return null
    return run.state === 'running' ? await cancelElsewhere(run) : 'already-ended'
  }

  return {
    register(kind, behaviour) {
      if (kinds.has(kind)) throw new Error(`runs of kind ${kind} are registered twice`)
      kinds.set(kind, behaviour)
    },

    async start(request, record) {
      if (leaving || stopping.signal.aborted) throw fail('unavailable')
      admit(lives, request.accountId)
      const run: Run = {
        id: request.id,
        accountId: request.accountId,
        kind: request.kind,
        scopeId: request.scopeId,
        subjectId: request.subjectId,
        state: 'running',
        baseLength: request.baseLength ?? 0,
        digest: request.digest ?? null,
        startedAt: clock.now(),
        endedAt: null,
      }
      kindOf(run)
      const recorded = Promise.withResolvers<void>()
      const closed = Promise.withResolvers<void>()
      const live: LiveRun = {
        run,
        controller: new AbortController(),
        reason: 'interrupted',
        isStored: false,
        recorded: recorded.promise,
        closed: closed.promise,
        state: null,
      }
      // Known before it is in the table, so that no sweep takes it for an orphan.
      lives.set(run.id, live)
      try {
        await store.insert(rowOf(run, deps.processId), record)
      } catch (error) {
        lives.delete(run.id)
        recorded.resolve()
        closed.resolve()
        const rivals = isUniqueViolation(error) ? await store.running({ scopeIds: [run.scopeId] }) : []
        throw rivals.length > 0 ? fail('generation_running') : error
      }
      live.isStored = true
      if (stopping.signal.aborted) abortRun(live, 'interrupted')
      void writeRun(
        { ...deps, store, kindOf, recordAnswer, approvals, stopping: stopping.signal },
        live,
        request,
        recorded.resolve,
      ).finally(() => {
        // Not before its stream is closed: until then the run is this process', and nobody ends it as left over.
        lives.delete(run.id)
        closed.resolve()
      })
      return run
    },

    cancel,
    decide: (runId, approvalId, decision) => approvals.decide(runId, approvalId, decision, lives.has(runId)),

    async cancelScopes(scopeIds) {
      for (const slice of slices(scopeIds, 500)) {
        const runs = await store.running({ scopeIds: slice })
        await Promise.all(runs.map((run) => cancel(run.id, run.accountId)))
      }
    },

    follow: (run, after, signal) => followRun({ ...deps, store, kindOf, isLive }, run, after, signal),
    read: (id, accountId) => store.read(id, accountId),
    latestOfSubject: (subjectId, accountId) => store.latestOfSubject(subjectId, accountId),
    latestOfScope: (scopeId, accountId) => store.latestOfScope(scopeId, accountId),
    listRunning: (accountId) => store.running({ accountId }),
    async waitUntilEnded(id) {
      await lives.get(id)?.recorded
    },

    async removeScope(scopeId) {
      for (const remove of removers) await remove(scopeId)
      for (;;) {
        const ids = await store.removeOfScope(scopeId, 200)
        if (ids.length === 0) return
        await events.remove(ids.map(streamIdOf))
      }
    },

    onScopeRemoved: (remove) => void removers.push(remove),

    get liveCount() {
      return lives.size
    },

    recover: () => sweep.begin(),

    leave() {
      leaving = true
    },

    async stop() {
      stopping.abort()
      unlisten()
      approvals.close()
      const all = [...lives.values()]
      for (const live of all) abortRun(live, 'interrupted')
      await Promise.all([sweep.end(), ...all.map((live) => live.closed)])
    },
  }
}

const usualStopMs = 5000

const notYet = () => fail('unavailable', 'Couldn’t stop the answer yet. Try again in a moment.')

/** Whether it was done within so long. */
const within = (done: Promise<void>, ms: number): Promise<boolean> => {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), ms)
  return Promise.race([done.then(() => true), late.promise]).finally(() => clearTimeout(timer))
}

/** Runs of one account are counted in the process that writes them. */
const admit = (lives: ReadonlyMap<string, LiveRun>, accountId: string): void => {
  let running = 0
  for (const { run } of lives.values()) if (run.accountId === accountId) running += 1
  if (running >= maxRunningPerAccount) {
    throw fail(
      'rate_limited',
      `${maxRunningPerAccount} answers are already being written for this account. Wait for one to end, or stop one.`,
    )
  }
}

const rowOf = (run: Run, owner: string) => ({
  id: run.id,
  account_id: run.accountId,
  kind: run.kind,
  scope_id: run.scopeId,
  subject_id: run.subjectId,
  state: run.state,
  owner,
  cancel_requested: 0,
  base_length: run.baseLength,
  digest: run.digest,
  started_at: run.startedAt,
  ended_at: null,
  last_seq: null,
})

const slices = <T>(items: readonly T[], size: number): T[][] => {
  const all: T[][] = []
  for (let i = 0; i < items.length; i += size) all.push(items.slice(i, i + size))
  return all
}
