/** One run from its first event to its last, and what is left to do when its process is told to stop. */
import type { Failure } from '@atrium/contract/generation'
import { type RetryDelays, untilDone } from '../../platform/db/index.ts'
import type { StreamWriter } from '../../platform/events/types.ts'
import type { Platform } from '../../platform/platform.ts'
import { createAnswerCollector } from './answer-collector.ts'
import type { Approvals } from './approvals.ts'
import { streamOf } from './follow.ts'
import type { RecordAnswer } from './metrics.ts'
import type { GenerationStore } from './store.ts'
import { endCalls, stateWhenAborted } from './end-calls.ts'
import { readAnswer } from './read-answer.ts'
import type { RunOutcome, Run, RunEnd, RunEvent, RunKind, RunRequest } from './types.ts'

/** A run that this process writes. */
export interface LiveRun {
  readonly run: Run
  readonly controller: AbortController
  /** What the run becomes when its signal aborts; the first reason stays. `taken`: another process has ended it. */
  reason: 'cancelled' | 'interrupted' | 'taken'
  /** Whether its row is in the table. */
  isStored: boolean
  readonly recorded: Promise<void>
  readonly closed: Promise<void>
  /** How it was recorded; null until then, or when somebody else ended it. */
  state: RunOutcome['state'] | null
}

export const abortRun = (live: LiveRun, reason: LiveRun['reason']): void => {
  if (live.controller.signal.aborted) return
  live.reason = reason
  live.controller.abort()
}

export interface WriteDeps extends Pick<Platform, 'clock' | 'database' | 'events' | 'log'> {
  readonly store: GenerationStore
  readonly kindOf: (run: Run) => RunKind
  /** Aborted when this process stops. */
  readonly stopping: AbortSignal
  readonly pauses?: RetryDelays | undefined
  /** Told of each answer whose end was recorded. */
  readonly recordAnswer: RecordAnswer | null
  readonly approvals: Approvals
}

/** Of a database that stays away the log hears at first and then now and then, not at each try of each answer. */
const everyTimes = 20

/**
 * Writes a run, and calls `recorded` when its end is. Never rejects. While the process lives it does not give up:
 * what a reader saw is in its memory, and nowhere else while the database is away.
 */
export const writeRun = async (
  deps: WriteDeps,
  live: LiveRun,
  request: RunRequest,
  recorded: () => void,
): Promise<void> => {
  const { events, clock, log } = deps
  const { run, controller } = live
  const writer = events.open<RunEvent>(streamOf(run, deps.kindOf(run)), { onTaken: () => abortRun(live, 'taken') })
  const announceWaiting = createWaitingNews(deps, run)
  const waits = { agent: false, calls: false }
  const collected = createAnswerCollector(writer, clock.now, {
    asked(part) {
      waits.agent = deps.approvals.take(run.id, part) > 0
      announceWaiting(waits.agent || waits.calls)
    },
    waits(isWaiting) {
      waits.calls = isWaiting
      announceWaiting(waits.agent || waits.calls)
    },
  })
  const failure = await readAnswer(run, request, writer, collected, controller.signal, deps)
  deps.approvals.forget(run.id)
  const came = collected.answer()
  const state = controller.signal.aborted
    ? stateWhenAborted(live.reason, came.toolCalls)
    : failure
      ? 'failed'
      : collected.isWaiting()
        ? 'waiting'
        : 'done'
  if (state === 'taken') {
    log.error('An answer was ended by another process; this one stops writing it.', { generationId: run.id })
    recorded()
    return writer.discard()
  }
  const outcome: RunOutcome = {
    state,
    answer: { ...came, toolCalls: endCalls(came.toolCalls, state, clock.now()) },
    failure: state === 'failed' ? failure : state === 'interrupted' ? interruptedMessage : null,
    endedAt: clock.now(),
  }
  const recordedEnd = await recordEnd(deps, run, outcome, writer)
  if (recordedEnd === 'not-ours') {
    recorded()
    return writer.discard()
  }
  if (recordedEnd === null) {
    recorded()
    // What could not be recorded before the stop is what the next start will find: an answer without an end.
    writer.append({ type: 'end', data: { state: 'interrupted' } })
    return closeStream(deps, run, writer)
  }
  live.state = outcome.state
  deps.recordAnswer?.(outcome, run.startedAt)
  recorded()
  try {
    await recordedEnd.ended?.()
  } catch (error) {
    log.error('work after an answer failed', { error, generationId: run.id })
  }
}

/** Tells the feature, in order and best effort, whenever a run begins or ends to wait for permission. */
const createWaitingNews = ({ kindOf, log }: Pick<WriteDeps, 'kindOf' | 'log'>, run: Run) => {
  let known = false
  let told = Promise.resolve()
  return (isWaiting: boolean): void => {
    if (isWaiting === known) return
    known = isWaiting
    told = told
      .then(() => kindOf(run).waits?.(run, isWaiting))
      .catch((error: unknown) =>
        log.error('that an answer waits for permission could not be marked', { error, generationId: run.id }),
      )
  }
}

/**
 * Records the end in one transaction: the run, the feature's write, and the end of the stream. `not-ours`: somebody else had
 * ended it; null: given up.
 */
const recordEnd = async (
  { store, kindOf, log, stopping, pauses }: WriteDeps,
  run: Run,
  outcome: RunOutcome,
  writer: StreamWriter<RunEvent>,
): Promise<RunEnd | 'not-ours' | null> => {
  const record = async (): Promise<RunEnd | 'not-ours'> => {
    const runEnd = await kindOf(run).finish(run, outcome)
    const streamEnd = await writer.prepareEnd({ type: 'end', data: { state: outcome.state } })
    let won = false
    try {
      won = await store.end(run.id, outcome, streamEnd.lastSeq, async (trx) => {
        await runEnd.write(trx)
        await streamEnd.write(trx)
      })
    } finally {
      streamEnd.settle(won)
    }
    return won ? runEnd : 'not-ours'
  }
  const done = await untilDone(record, {
    stopping,
    pauses,
    failed: (error, times) => {
      if (times % everyTimes === 1)
        log.error('the end of an answer could not be stored; it is tried again', { error, generationId: run.id })
    },
  })
  return done ? done.value : null
}

/** Has those who follow hear of an end that could not be recorded. */
const closeStream = async (
  { log, stopping, pauses }: WriteDeps,
  run: Run,
  writer: StreamWriter<RunEvent>,
): Promise<void> => {
  const close = async (): Promise<void> => {
    if (!writer.isTaken) await writer.close()
  }
  await untilDone(close, {
    stopping,
    pauses,
    failed: (error, times) => {
      if (times % everyTimes === 1) log.error('a stream could not be closed yet', { error, generationId: run.id })
    },
  })
}

const interruptedMessage: Failure = {
  code: 'interrupted',
  detail: 'The server stopped while this was being written.',
}
