/** Makes the call of a turn, and judges what comes back before anything of it is read as an answer. */
import type { Checked, Outbound, OutboundResponse } from '../platform/outbound/types.ts'
import { refusedByStatus } from './faults.ts'
import { createFraming, type Framing, maxFrameLength, maxPictureFrameLength } from './framing.ts'
import type { IdleTimeout } from './idle-timeout.ts'
import { ProviderFailure, type Turn, type UnsignedRequest, type Wire, type WireReader } from './types.ts'

export interface Call {
  readonly wire: Wire
  readonly url: Checked<URL>
  /** With the key, where there is one. */
  readonly headers: Readonly<Record<string, string>>
  readonly hasKey: boolean
  /** Adds what proves the key where it is no plain header; called with all that is sent. */
  readonly sign?: ((request: UnsignedRequest) => Readonly<Record<string, string>>) | undefined
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

export interface OpenAnswer {
  readonly response: OutboundResponse
  readonly reader: WireReader
  readonly framing: Framing
  readonly chunks: AsyncIterator<Uint8Array>
}

const accepts: Record<Wire['framing'], string> = {
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson',
  'aws-event-stream': 'application/vnd.amazon.eventstream',
}
const maxAnswerBytes = 64 * 1024 * 1024
/** Of an answer with pictures: four of the largest, and what they looked like on the way. */
const maxDrawnAnswerBytes = 160 * 1024 * 1024
const maxErrorBytes = 64 * 1024
const errorBodyMs = 5000
/** How long a finished answer may take to end its body, so that the connection can be used again. */
const tidyMs = 500

/** Throws ProviderFailure or what the gate throws. */
export async function openAnswer(
  outbound: Pick<Outbound, 'request'>,
  call: Call,
  watch: IdleTimeout,
): Promise<OpenAnswer> {
  const { wire, turn } = call
  const maxBytes = turn.draws ? maxDrawnAnswerBytes : maxAnswerBytes
  const response = await makeCall(
    outbound,
    call,
    JSON.stringify(wire.say(turn)),
    accepts[wire.framing],
    watch,
    maxBytes,
  )
  const kind = kindOf(wire, response.headers['content-type'])
  if (kind === 'other') throw notAnAnswer(response)
  const maxLength = turn.draws ? maxPictureFrameLength : maxFrameLength
  const framing = kind === 'whole' ? oneObject(maxLength) : createFraming(wire.framing, maxLength)
  return { response, reader: wire.reader(), framing, chunks: response.body[Symbol.asyncIterator]() }
}

/** Makes a call with a body that is worded already; gives the answer when its status is one of success. */
export async function makeCall(
  outbound: Pick<Outbound, 'request'>,
  call: Omit<Call, 'turn'>,
  body: string,
  accept: string,
  watch: IdleTimeout,
  maxBytes = maxAnswerBytes,
): Promise<OutboundResponse> {
  const plain = { 'content-type': 'application/json', accept, ...call.wire.headers, ...call.headers }
  const response = await outbound.request(call.url, {
    method: 'POST',
    headers: call.sign ? { ...plain, ...call.sign({ method: 'POST', url: call.url, headers: plain, body }) } : plain,
    body,
    signal: watch.signal,
    headersMs: watch.longestMs,
    idleMs: watch.longestMs,
    maxBytes,
  })
  if (response.status < 200 || response.status > 299) throw await refusal(response, call)
  return response
}

/** Reads a finished answer to its end for a moment, so that its connection can serve the next call. */
export async function drain({ chunks, response }: Pick<OpenAnswer, 'chunks' | 'response'>): Promise<void> {
  const timer = setTimeout(() => response.discard(), tidyMs)
  try {
    while (!(await chunks.next()).done);
  } catch {
    // The answer is complete: how its connection ends does not matter any more.
  } finally {
    clearTimeout(timer)
  }
}

async function refusal(response: OutboundResponse, call: Pick<Call, 'hasKey'>): Promise<ProviderFailure> {
  const timer = setTimeout(() => response.discard(), errorBodyMs)
  // The body only sharpens the words; without it the status alone has to do.
  const body = await readStart(response).catch(() => '')
  clearTimeout(timer)
  response.discard()
  return refusedByStatus(response.status, body, { hasKey: call.hasKey, headers: response.headers })
}

async function readStart(response: OutboundResponse): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxErrorBytes) break
  }
  return text
}

/** Whether the body is a stream in the wire's framing, one whole object, or nothing of the kind. */
export function kindOf(wire: Wire, contentType = ''): 'stream' | 'whole' | 'other' {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (wire.framing === 'ndjson') return /^$|json|^text\/plain$|octet-stream/.test(type) ? 'stream' : 'other'
  if (wire.framing === 'aws-event-stream') {
    if (/^$|^application\/vnd\.amazon\.eventstream$|octet-stream/.test(type)) return 'stream'
  } else if (/^$|^text\/event-stream$|^text\/plain$|octet-stream/.test(type)) return 'stream'
  return type.endsWith('json') ? 'whole' : 'other'
}

export const notAnAnswer = (response: OutboundResponse): ProviderFailure => {
  response.discard()
  return new ProviderFailure(
    'malformed',
    'The provider answered with something other than an answer of a model: a web page, perhaps. Is the address right?',
    response.status,
  )
}

/** A server that does not stream answers with one object; the same reader takes it as the only frame. */
function oneObject(maxLength: number): Framing {
  const decoder = new TextDecoder()
  let text = ''
  return {
    push(chunk) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > maxLength) {
        throw new ProviderFailure('too_large', 'The answer of the provider is larger than Atrium takes.')
      }
      return []
    },
    end: () => [text + decoder.decode()],
  }
}
