/** Runs: started, written, stopped, ended exactly once, and never left behind. */
import type { Failure } from '@atrium/contract/generation'
import type { Clock } from '../../platform/clock.ts'
import { isUniqueViolation } from '../../platform/db/index.ts'
import type { Database } from '../../platform/db/types.ts'
import type { EventLog } from '../../platform/events/types.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Log } from '../../platform/log/log.ts'
import { createCollected } from './collect.ts'
import { type Followed, followRun, streamOf } from './follow.ts'
import { maxRunningPerAccount } from './rules.ts'
import { createGenerationStore } from './store.ts'
import { createSweep } from './sweep.ts'
import { readAnswer, recordEnd } from './turns.ts'
import type { Outcome, Run, RunEvent, RunKind, RunRequest, Write } from './types.ts'

export interface GenerationDeps {
  readonly database: Database
  readonly events: EventLog
  readonly clock: Clock
  readonly log: Log
  /** The id under which this process holds its presence in the database. */
  readonly processId: string
}

export interface Generations {
  /** Names what writes the end of runs of a kind. Every kind must be named before `recover`. */
  register(kind: string, behaviour: RunKind): void
  /**
   * Records a run together with what `record` writes, in one transaction, and lets it go on by itself.
   * Refuses with `generation_running` (one per scope), `rate_limited` (per account and process) or `unavailable` (stopping).
   */
  start(request: RunRequest, record?: Write): Promise<Run>
  /** Stops a run and waits until its end is recorded; tells who won. null: there is no such run of this account. */
  cancel(id: string, accountId: string): Promise<'cancelled' | 'already-ended' | null>
  /** Stops every running run of these scopes, and waits. */
  cancelScopes(scopeIds: readonly string[]): Promise<void>
  /** The events after `after`; ends with the run. A finished run replays, also after its events are gone. */
  follow(run: Run, after: number, signal: AbortSignal): AsyncIterable<Followed>
  read(id: string, accountId: string): Promise<Run | null>
  latestOfSubject(subjectId: string, accountId: string): Promise<Run | null>
  latestOfScope(scopeId: string, accountId: string): Promise<Run | null>
  running(accountId: string): Promise<readonly Run[]>
  /** Resolves when the run has ended and its end is recorded. */
  settled(id: string): Promise<void>
  /** Forgets every run of a scope, with its events. */
  removeScope(scopeId: string): Promise<void>
  /** How many runs this process is writing just now. */
  readonly liveCount: number
  /** Ends what earlier processes left behind, and keeps doing so. */
  recover(): Promise<void>
  /** Ends running answers as `interrupted`, with their text, and takes no more. */
  stop(): Promise<void>
}

interface Live {
  readonly run: Run
  readonly controller: AbortController
  /** What the run becomes when its signal aborts; the first reason stays. */
  reason: 'cancelled' | 'interrupted'
  readonly recorded: Promise<void>
  readonly closed: Promise<void>
  /** How it was recorded; null until then, or when somebody else ended it. */
  state: Outcome['state'] | null
}

const cancelChannel = 'generation_cancel'

export const createGenerations = (deps: GenerationDeps): Generations => {
  const { database, events, clock, log } = deps
  const store = createGenerationStore(database)
  const kinds = new Map<string, RunKind>()
  const lives = new Map<string, Live>()
  let stopping = false

  const kindOf = (run: Run): RunKind => {
    const kind = kinds.get(run.kind)
    if (!kind) throw new Error(`no area registered runs of kind ${run.kind}`)
    return kind
  }
  const isLive = (id: string): boolean => lives.has(id)
  const abort = (live: Live, reason: Live['reason']): void => {
    if (live.controller.signal.aborted) return
    live.reason = reason
    live.controller.abort()
  }
  const sweep = createSweep({ ...deps, store, kindOf, isLive, abortLive })
  function abortLive(id: string): void {
    const live = lives.get(id)
    if (live) abort(live, 'cancelled')
  }
  const unlisten = database.listen(cancelChannel, abortLive)

  /** Writes from the first event to the last. Never rejects. */
  const write = async (live: Live, request: RunRequest, recorded: () => void): Promise<void> => {
    const { run, controller } = live
    const writer = events.open<RunEvent>(streamOf(run))
    const collected = createCollected(writer, clock.now)
    const failure = await readAnswer(run, request, writer, collected, controller.signal, log)
    const state = controller.signal.aborted ? live.reason : failure ? 'failed' : 'done'
    const outcome: Outcome = {
      state,
      answer: collected.answer(),
      failure: state === 'failed' ? failure : state === 'interrupted' ? interruptedWords : null,
      endedAt: clock.now(),
    }
    // Nothing is appended any more but the end itself, so its place is known before it is there.
    const lastSeq = writer.lastSeq + 1
    const won = await recordEnd({ store, kind: kindOf(run), run, outcome, lastSeq, log, giveUp: () => stopping })
    if (won) live.state = outcome.state
    recorded()
    try {
      if (won) writer.append({ type: 'end', data: { state: outcome.state } })
      await writer.close()
    } catch (error) {
      // The end is recorded, and whoever follows later is told it from there.
      log.error('a stream could not be closed', { error, generationId: run.id })
    }
    lives.delete(run.id)
    if (!won) return
    try {
      await kindOf(run).ended?.(run, outcome)
    } catch (error) {
      log.error('work after an answer failed', { error, generationId: run.id })
    }
  }

  const cancelElsewhere = async (run: Run): Promise<'cancelled' | 'already-ended'> => {
    await store.requestCancel(run.id)
    await database.notify(cancelChannel, run.id)
    for (let waited = 0; waited < 5000; waited += 50) {
      const now = await store.read(run.id, run.accountId)
      if (!now || now.state === 'cancelled') return 'cancelled'
      if (now.state !== 'running') return 'already-ended'
      if (waited % 1000 === 950) await sweep.reap()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw fail('unavailable', 'The answer could not be stopped yet. Try again in a moment.')
  }

  const cancel: Generations['cancel'] = async (id, accountId) => {
    const run = await store.read(id, accountId)
    if (!run) return null
    if (run.state !== 'running') return 'already-ended'
    const live = lives.get(id)
    if (!live) return cancelElsewhere(run)
    abort(live, 'cancelled')
    await live.recorded
    return live.state === 'cancelled' ? 'cancelled' : 'already-ended'
  }

  return {
    register(kind, behaviour) {
      if (kinds.has(kind)) throw new Error(`runs of kind ${kind} are registered twice`)
      kinds.set(kind, behaviour)
    },

    async start(request, record) {
      if (stopping) throw fail('unavailable')
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
      const live: Live = {
        run,
        controller: new AbortController(),
        reason: 'interrupted',
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
      if (stopping) abort(live, 'interrupted')
      void write(live, request, recorded.resolve).finally(closed.resolve)
      return run
    },

    cancel,

    async cancelScopes(scopeIds) {
      for (const slice of slices(scopeIds, 500)) {
        const runs = await store.running({ scopeIds: slice })
        await Promise.all(runs.map((run) => cancel(run.id, run.accountId)))
      }
    },

    follow: (run, after, signal) => followRun({ events, store, kindOf, isLive }, run, after, signal),
    read: (id, accountId) => store.read(id, accountId),
    latestOfSubject: (subjectId, accountId) => store.latestOfSubject(subjectId, accountId),
    latestOfScope: (scopeId, accountId) => store.latestOfScope(scopeId, accountId),
    running: (accountId) => store.running({ accountId }),
    async settled(id) {
      await lives.get(id)?.recorded
    },

    async removeScope(scopeId) {
      for (;;) {
        const ids = await store.removeOfScope(scopeId, 200)
        if (ids.length === 0) return
        await events.remove(ids.map((id) => streamOf({ id, accountId: '' }).id))
      }
    },

    get liveCount() {
      return lives.size
    },

    recover: () => sweep.begin(),

    async stop() {
      stopping = true
      unlisten()
      await sweep.end()
      const all = [...lives.values()]
      for (const live of all) abort(live, 'interrupted')
      await Promise.all(all.map((live) => live.closed))
    },
  }
}

const interruptedWords: Failure = {
  code: 'interrupted',
  detail: 'The server stopped while this was being written.',
}

/** Runs of one account are counted in the process that writes them. */
const admit = (lives: ReadonlyMap<string, Live>, accountId: string): void => {
  let running = 0
  for (const { run } of lives.values()) if (run.accountId === accountId) running += 1
  if (running >= maxRunningPerAccount) {
    throw fail(
      'rate_limited',
      `${maxRunningPerAccount} answers are being written for this account already. Wait for one, or stop one.`,
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
