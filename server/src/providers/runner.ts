/**
 * Runs one turn against a provider. The runner owns the call, its limits and its end; a wire only words it.
 * Every fault leaves here as a ProviderFailure in our own words.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../platform/clock.ts'
import { createCrowd, type Crowd } from '../platform/crowd.ts'
import type { Outbound } from '../platform/outbound/types.ts'
import { createAnswerBounds } from './answer-bounds.ts'
import { explainFailure } from './call-failure.ts'
import { type CallMeasurement, type MeasuredCall, measureCall } from './measure.ts'
import type { MeteredCall } from './metering.ts'
import { type OpenAnswer, type Call, drain, openAnswer } from './opening.ts'
import { type RelayCall, relayAnswer, type RelayedAnswer } from './relay.ts'
import { startIdleTimeout } from './idle-timeout.ts'
import { createTimeSlice } from './time-slice.ts'
import type { Part } from './types.ts'

export type { Call } from './opening.ts'

export interface RunnerDeps {
  readonly outbound: Pick<Outbound, 'request'>
  readonly clock: Clock
  /** Told of every call. What it throws is ignored: metering never makes a call fail. */
  readonly meter?: (call: MeteredCall) => void
}

export interface Runner {
  /**
   * The pieces of the answer, in one array per network chunk; ask for the next one when the last has come. Throws
   * ProviderFailure. Leaving it early drops the connection, also while a piece is waited for.
   */
  run(call: Call): AsyncIterableIterator<Part[]>
  /** The bytes of an answer to a request that is worded for its wire already. */
  relay(call: RelayCall): RelayedAnswer
  /** Begins to count and to time a call that is no turn, for those who make it themselves. */
  measure(call: MeasuredCall): CallMeasurement
}

export const createRunner = (deps: RunnerDeps): Runner => {
  const crowd = createCrowd(crowdedPerSecond)
  return {
    run: (call) => answerOf(deps, crowd, call),
    relay: (call) => relayAnswer(deps, call),
    measure: (call) => measureCall(deps, call),
  }
}

/**
 * From so many pieces a second on, over all answers, each answer takes what came within `gatherMs` together: an event, a
 * frame and a write for several words. The first pieces of an answer never wait.
 */
const crowdedPerSecond = 2000
const gatherMs = 40
const promptPieces = 3

/** Written as an iterator by hand: a generator within a generator costs three times as much per piece. */
function answerOf(deps: RunnerDeps, crowd: Crowd, call: Call): AsyncIterableIterator<Part[]> {
  const watch = startIdleTimeout(call)
  const meter = measureCall(deps, { subject: call.subject, model: call.turn.model })
  const bounds = createAnswerBounds()
  const slice = createTimeSlice()
  let answering: OpenAnswer | null = null
  /** A fault behind pieces that are still good: it is thrown when the next ones are asked for. */
  let held: unknown
  let over = false
  let pieces = 0

  const end = (
    status: MeteredCall['status'],
    { leaveOpen = false, error }: { leaveOpen?: boolean; error?: unknown } = {},
  ): void => {
    if (over) return
    over = true
    watch.stop()
    if (!leaveOpen) answering?.response.discard()
    meter.end(status, { error })
  }
  const fail = (error: unknown): unknown => {
    const { failure, status } = explainFailure(error, { signal: call.signal, watch, answering: meter.answering() })
    end(status, { error: failure })
    return failure
  }

  const next = async (): Promise<IteratorResult<Part[]>> => {
    try {
      if (held !== undefined) throw held
      answering ??= await openAnswer(deps.outbound, call, watch)
      const { reader, framing, chunks } = answering
      while (!over) {
        if (slice.isOver()) await slice.yieldToOthers()
        if (crowd.isThere && pieces > promptPieces) {
          await pause(gatherMs, undefined, { ref: false })
          if (over) break
        }
        const chunk = await chunks.next()
        const parts: Part[] = []
        try {
          for (const frame of chunk.done ? framing.end() : framing.push(chunk.value))
            bounds.take(reader.frame(frame), parts)
          if (chunk.done) bounds.take(reader.end(), parts)
        } catch (error) {
          held = error
        }
        pieces += 1
        crowd.count(performance.now(), parts.length)
        watch.heard(parts.length > 0, bounds.progress())
        if (parts.length > 0) meter.heard(parts)
        if (held !== undefined && parts.length === 0) throw held
        if (held === undefined && (chunk.done || reader.isDone())) {
          end('success', { leaveOpen: reader.isDone() })
          if (!chunk.done) void drain(answering)
        }
        if (parts.length > 0) return { value: parts, done: false }
      }
    } catch (error) {
      throw fail(error)
    }
    return { value: undefined, done: true }
  }

  return {
    next: () => (over && held === undefined ? Promise.resolve({ value: undefined, done: true }) : next()),
    async return() {
      if (!over) {
        end('cancelled')
        watch.abort()
      }
      held = undefined
      return { value: undefined, done: true }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
