/**
 * Relays the bytes of an answer whose reader speaks the provider's own format. Nothing is worded anew: whole events
 * pass as they came, and only those that hold usage, an end or an error are looked into. Faults leave here as
 * ProviderFailure in our own words, and are never passed on.
 */
import type { Outbound } from '../platform/outbound/types.ts'
import { explainFailure } from './call-failure.ts'
import type { Clock } from '../platform/clock.ts'
import { type CallMeasurement, measureCall } from './measure.ts'
import type { MeteredCall } from './metering.ts'
import { type OpenAnswer, type Call, drain, kindOf, makeCall, notAnAnswer } from './opening.ts'
import { createRelayedProgress } from './relayed-progress.ts'
import { createRelayFilter, type RelayFilter } from './relay-filter.ts'
import { type IdleTimeout, startIdleTimeout } from './idle-timeout.ts'
import { createTimeSlice } from './time-slice.ts'
import { ProviderFailure } from './types.ts'

export interface RelayCall extends Omit<Call, 'turn'> {
  readonly model: string
  /** The request, worded for the wire. */
  readonly body: string
  /** Leave the event out that holds nothing but usage: the client did not ask for it. */
  readonly hideUsage: boolean
}

/** Exactly one of the two is to be used, once. */
export interface RelayedAnswer {
  /** The answer to a request that asked for a whole one. */
  whole(): Promise<string>
  /** Whole events of the answer to a request that asked for a stream. Leaving it early drops the connection. */
  stream(): AsyncIterableIterator<Uint8Array>
}

export interface RelayDeps {
  readonly clock: Clock
  readonly meter?: ((call: MeteredCall) => void) | undefined
  readonly outbound: Pick<Outbound, 'request'>
}

/** A whole answer is held in memory, so it may not be longer than this. */
const maxWholeBytes = 16 * 1024 * 1024

export function relayAnswer(deps: RelayDeps, call: RelayCall): RelayedAnswer {
  const watch = startIdleTimeout(call)
  const meter = measureCall(deps, { subject: call.subject, model: call.model, relayed: true })
  let over = false
  const end = (status: MeteredCall['status'], error?: unknown): void => {
    if (over) return
    over = true
    watch.stop()
    meter.end(status, { error })
  }
  const fail = (error: unknown): unknown => {
    const { failure, status } = explainFailure(error, { signal: call.signal, watch, answering: meter.answering() })
    end(status, failure)
    return failure
  }
  return {
    async whole() {
      try {
        const text = await readWhole(deps, call, watch)
        const parts = call.wire.reader().frame(text)
        if (parts.length === 0) throw new ProviderFailure('malformed', 'The provider’s response couldn’t be read.')
        meter.heard(parts)
        end('success')
        return text
      } catch (error) {
        throw fail(error)
      }
    },
    stream: () => streamed(deps, call, watch, { meter, end, fail, over: () => over }),
  }
}

/** Bytes that are no UTF-8 become U+FFFD. */
async function readWhole(deps: RelayDeps, call: RelayCall, watch: IdleTimeout): Promise<string> {
  const response = await makeCall(deps.outbound, call, call.body, 'application/json', watch, maxWholeBytes)
  if (kindOf(call.wire, response.headers['content-type']) !== 'whole') throw notAnAnswer(response)
  return await response.text()
}

interface Progress {
  readonly meter: CallMeasurement
  readonly end: (status: MeteredCall['status']) => void
  readonly fail: (error: unknown) => unknown
  readonly over: () => boolean
}

/** Written as an iterator by hand: a generator costs more per piece. */
function streamed(
  deps: RelayDeps,
  call: RelayCall,
  watch: IdleTimeout,
  { meter, end, fail, over }: Progress,
): AsyncIterableIterator<Uint8Array> {
  const slice = createTimeSlice()
  const progress = createRelayedProgress()
  let open: (Pick<OpenAnswer, 'chunks' | 'response'> & { readonly filter: RelayFilter }) | null = null
  /** A fault behind events that are still good: it is thrown when the next ones are asked for. */
  let held: unknown

  const begin = async () => {
    const response = await makeCall(deps.outbound, call, call.body, 'text/event-stream', watch)
    const kind = kindOf(call.wire, response.headers['content-type'])
    if (kind === 'other') throw notAnAnswer(response)
    const filter = createRelayFilter(call.wire, { hideUsage: call.hideUsage, whole: kind === 'whole' })
    return { response, filter, chunks: response.body[Symbol.asyncIterator]() }
  }

  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    try {
      if (held !== undefined) throw held
      open ??= await begin()
      const { chunks, filter } = open
      while (!over()) {
        if (slice.isOver()) await slice.yieldToOthers()
        const chunk = await chunks.next()
        const { bytes, parts, failure } = chunk.done ? filter.end() : filter.push(chunk.value)
        held = failure
        // Heads and signs of life come long before the first word of a model that thinks unseen.
        const found = bytes === null ? 0 : progress(bytes)
        watch.heard(found > 0, found)
        if (bytes !== null || parts.length > 0) meter.heard(parts)
        if (failure !== undefined && bytes === null) throw failure
        if (failure === undefined && (chunk.done || filter.isDone())) {
          end('success')
          if (!chunk.done) void drain(open)
        }
        if (bytes !== null) return { value: bytes, done: false }
      }
    } catch (error) {
      open?.response.discard()
      held = undefined
      throw fail(error)
    }
    return { value: undefined, done: true }
  }

  return {
    next: () => (over() && held === undefined ? Promise.resolve({ value: undefined, done: true }) : next()),
    async return() {
      if (!over()) {
        end('cancelled')
        watch.abort()
        open?.response.discard()
      }
      held = undefined
      return { value: undefined, done: true }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
