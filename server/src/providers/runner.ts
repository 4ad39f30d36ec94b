/**
 * Runs one turn against a provider. The runner owns the call, its limits and its end; a wire only words it.
 * Every fault leaves here as a ProviderFailure in our own words.
 */
import type { Clock } from '../platform/clock.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { type Checked, type Outbound, OutboundFailure, type OutboundResponse } from '../platform/outbound/types.ts'
import { outboundFault, refusedByStatus } from './faults.ts'
import { createFraming, maxFrameLength } from './framing.ts'
import { type Part, ProviderFailure, type Turn, type Wire, type WireReader } from './types.ts'

/** One call as the meter hears of it, after its end. Holds no content, no address and no key. */
export interface MeteredCall {
  readonly subject: unknown
  readonly model: string
  readonly status: 'success' | 'error' | 'cancelled'
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** From the call to the first piece; null when none came. */
  readonly firstTokenMs: number | null
  readonly durationMs: number
}

export interface RunnerDeps {
  readonly outbound: Pick<Outbound, 'request'>
  readonly clock: Clock
  /** Told of every call. What it throws is ignored: metering never makes a call fail. */
  readonly meter?: (call: MeteredCall) => void
}

export interface Call {
  readonly wire: Wire
  readonly url: Checked<URL>
  /** With the key, where there is one. */
  readonly headers: Readonly<Record<string, string>>
  readonly hasKey: boolean
  readonly turn: Turn
  /** Aborting drops the connection to the provider at once. */
  readonly signal: AbortSignal
  /** Longest wait for the first piece: a local model may have to be loaded first. Default 5 minutes. */
  readonly firstTokenMs?: number
  /** Longest silence after that. Default 2 minutes. */
  readonly idleMs?: number
  /** Handed to the meter as it is. */
  readonly subject?: unknown
}

export interface Runner {
  /** The pieces of the answer, in one array per network chunk. Throws ProviderFailure. */
  run(call: Call): AsyncIterable<Part[]>
}

const maxAnswerBytes = 64 * 1024 * 1024
const maxErrorBytes = 64 * 1024
const defaults = { firstTokenMs: 5 * 60_000, idleMs: 2 * 60_000 }
/** How long a finished answer may take to end its body, so that the connection can be used again. */
const tidyMs = 500
const errorBodyMs = 5000

export const createRunner = (deps: RunnerDeps): Runner => ({ run: (call) => metered(deps, call) })

async function* metered({ outbound, clock, meter }: RunnerDeps, call: Call): AsyncGenerator<Part[]> {
  const begun = clock.now()
  let status: MeteredCall['status'] = 'cancelled'
  let firstTokenMs: number | null = null
  let tokens = { inputTokens: null as number | null, outputTokens: null as number | null }
  try {
    for await (const parts of answer(outbound, call)) {
      firstTokenMs ??= clock.now() - begun
      for (const part of parts) if (part.type === 'usage') tokens = part
      yield parts
    }
    status = 'success'
  } catch (error) {
    const failure = asProviderFailure(error, call.signal, firstTokenMs !== null)
    if (failure instanceof ProviderFailure && failure.kind !== 'aborted') status = 'error'
    throw failure
  } finally {
    const { inputTokens, outputTokens } = tokens
    const durationMs = clock.now() - begun
    try {
      meter?.({
        subject: call.subject,
        model: call.turn.model,
        status,
        inputTokens,
        outputTokens,
        firstTokenMs,
        durationMs,
      })
    } catch {
      // Metering is best effort by rule: it never makes a call fail.
    }
  }
}

async function* answer(outbound: Pick<Outbound, 'request'>, call: Call): AsyncGenerator<Part[]> {
  const { wire, turn } = call
  const watch = watchSilence(call)
  let response: OutboundResponse | null = null
  let tidy = false
  try {
    response = await outbound.request(call.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: wire.framing === 'sse' ? 'text/event-stream' : 'application/x-ndjson',
        ...call.headers,
      },
      body: JSON.stringify(wire.say(turn)),
      signal: watch.signal,
      headersMs: watch.longestMs,
      idleMs: watch.longestMs,
      maxBytes: maxAnswerBytes,
    })
    const kind = kindOf(wire, response.headers['content-type'])
    if (response.status < 200 || response.status > 299) throw await refusal(response, call)
    if (kind === 'other') throw notAnAnswer(response)
    const reader = wire.reader()
    if (kind === 'whole') {
      yield* wholeBody(reader, await readText(response, maxFrameLength))
      return
    }
    const framing = createFraming(wire.framing)
    const chunks = response.body[Symbol.asyncIterator]()
    for (let chunk = await chunks.next(); !chunk.done; chunk = await chunks.next()) {
      const frames = framing.push(chunk.value)
      watch.heard(false)
      for (const parts of readAll(reader, frames)) {
        watch.heard(true)
        yield parts
      }
      if (!reader.done) continue
      tidy = true
      void drain(chunks, response)
      return
    }
    yield* readAll(reader, framing.end())
    const last = reader.end()
    if (last.length > 0) yield last
  } catch (error) {
    throw watch.late() ?? error
  } finally {
    watch.stop()
    if (!tidy) response?.discard()
  }
}

/** What was read before a broken frame counts: it is given out before the fault is thrown. */
function* readAll(reader: WireReader, frames: readonly string[]): Generator<Part[]> {
  const parts: Part[] = []
  let fault: unknown
  try {
    for (const frame of frames) parts.push(...reader.frame(frame))
  } catch (error) {
    fault = error
  }
  if (parts.length > 0) yield parts
  if (fault !== undefined) throw fault
}

/** A server that does not stream answers with one object; the same reader takes it as the only frame. */
function* wholeBody(reader: WireReader, text: string): Generator<Part[]> {
  const parts = [...reader.frame(text), ...reader.end()]
  if (parts.length > 0) yield parts
}

/** Reads a finished answer to its end for a moment, so that its connection can serve the next call. */
async function drain(chunks: AsyncIterator<Uint8Array>, response: OutboundResponse): Promise<void> {
  const timer = setTimeout(() => response.discard(), tidyMs)
  try {
    while (!(await chunks.next()).done);
  } catch {
    // The answer is complete: how its connection ends does not matter any more.
  } finally {
    clearTimeout(timer)
  }
}

async function refusal(response: OutboundResponse, call: Call): Promise<ProviderFailure> {
  const timer = setTimeout(() => response.discard(), errorBodyMs)
  // The body only sharpens the words; without it the status alone has to do.
  const body = await readText(response, maxErrorBytes).catch(() => '')
  clearTimeout(timer)
  return refusedByStatus(response.status, body, { hasKey: call.hasKey, retryAfter: response.headers['retry-after'] })
}

/** At most `limit` characters of the body, then the connection is dropped. */
async function readText(response: OutboundResponse, limit: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > limit) break
  }
  return text
}

/** Whether the body is a stream in the wire's framing, one whole object, or nothing of the kind. */
function kindOf(wire: Wire, contentType = ''): 'stream' | 'whole' | 'other' {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (wire.framing === 'ndjson') return /^$|json|^text\/plain$|octet-stream/.test(type) ? 'stream' : 'other'
  if (/^$|^text\/event-stream$|^text\/plain$|octet-stream/.test(type)) return 'stream'
  return type.endsWith('json') ? 'whole' : 'other'
}

const notAnAnswer = (response: OutboundResponse): ProviderFailure => {
  response.discard()
  return new ProviderFailure(
    'malformed',
    'The provider answered with something other than an answer of a model: a web page, perhaps. Is the address right?',
    response.status,
  )
}

/** Ends the call when nothing comes: one deadline for the first piece, then one for every silence. */
function watchSilence({ signal, firstTokenMs = defaults.firstTokenMs, idleMs = defaults.idleMs }: Call) {
  const own = new AbortController()
  let begun = false
  let late: ProviderFailure | null = null
  const expire = () => {
    const words = begun ? 'fell silent in the middle of the answer' : 'did not begin to answer in time'
    late = new ProviderFailure('timeout', `The provider ${words}.`)
    own.abort()
  }
  const follow = () => own.abort()
  signal.addEventListener('abort', follow, { once: true })
  if (signal.aborted) own.abort()
  let timer = setTimeout(expire, firstTokenMs)
  return {
    signal: own.signal,
    longestMs: Math.max(firstTokenMs, idleMs) + 1000,
    heard(piece: boolean): void {
      if (begun) {
        timer.refresh()
      } else if (piece) {
        begun = true
        clearTimeout(timer)
        timer = setTimeout(expire, idleMs)
      }
    },
    late: () => late,
    stop(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', follow)
    },
  }
}

/** A refusal of the gate means that the provider cannot be reached; bugs pass unchanged. */
function asProviderFailure(error: unknown, signal: AbortSignal, answering: boolean): unknown {
  if (signal.aborted) return new ProviderFailure('aborted', 'The request was stopped.')
  if (error instanceof OutboundFailure) return outboundFault(error, answering)
  if (error instanceof Refusal) return new ProviderFailure('unreachable', error.message)
  return error
}
