/** Says one thing to a provider in the words of a format, with the limits, and the words for every fault, of the runner. */
import type { CancelSignal, OutboundResponse } from '../../platform/outbound/types.ts'
import { translate } from '../exchange.ts'
import { refusedByStatus, stoppedFailure } from '../faults.ts'
import { createFraming, maxPictureFrameLength } from '../framing.ts'
import { readJson } from '../read-json.ts'
import { ProviderFailure } from '../types.ts'
import type { FrameReader, Limits, Reply, FormatRequest } from './format.ts'
import { encodeForm } from './form.ts'
import { type OperationCall, unreadableAnswer } from './route.ts'
import type { CallNews } from './types.ts'

/** What a call needs to reach its provider. */
export type ProviderAccess = Pick<OperationCall, 'outbound' | 'url' | 'headers' | 'hasKey' | 'origins' | 'signal'>

/** A streamed answer as its reader read it. */
export interface StreamResult<R> {
  readonly streamed: R
}

/** Gives the answer, or what `reader` made of one that was streamed. Throws ProviderFailure. */
export async function askProvider<R = never>(
  wired: ProviderAccess,
  said: FormatRequest,
  limits: Limits,
  streaming?: { readonly reader: () => FrameReader<R>; readonly heard?: ((news: CallNews) => void) | undefined },
): Promise<Reply | StreamResult<R>> {
  const late = AbortSignal.timeout(limits.timeoutMs)
  const signal = AbortSignal.any([wired.signal, late])
  let answering = false
  try {
    const response = await openAnswer(wired, said, { ...limits, signal })
    answering = true
    const mediaType = response.headers['content-type'] ?? ''
    if (streaming && /^text\/event-stream/i.test(mediaType)) {
      return { streamed: await readFrames(response, streaming.reader(), streaming.heard) }
    }
    const bytes = await response.bytes()
    return { mediaType, bytes, json: await jsonOf(mediaType, bytes, limits, signal), headers: response.headers }
  } catch (error) {
    if (wired.signal.aborted) throw stoppedFailure()
    if (late.aborted) throw new ProviderFailure('timeout', 'The provider did not answer in time.')
    throw translate(error, undefined, answering)
  }
}

/** An answer that is no stream. */
export async function askWhole(wired: ProviderAccess, said: FormatRequest, limits: Limits): Promise<Reply> {
  const answer = await askProvider(wired, said, limits)
  if ('streamed' in answer) throw unreadableAnswer()
  return answer
}

export interface OpenLimits extends Pick<Limits, 'timeoutMs' | 'maxBytes'> {
  readonly signal: CancelSignal
}

/** The answer as it begins; whoever is refused hears of it as a ProviderFailure. */
export async function openAnswer(
  wired: ProviderAccess,
  said: FormatRequest,
  limits: OpenLimits,
): Promise<OutboundResponse> {
  const { type, body } = bodyOf(said)
  const response = await wired.outbound.request(await destination(wired, said), {
    method: said.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      accept: said.accept ?? 'application/json',
      ...(type === undefined ? {} : { 'content-type': type }),
      ...said.headers,
      ...wired.headers,
    },
    ...(body === undefined ? {} : { body }),
    signal: limits.signal,
    headersMs: limits.timeoutMs,
    idleMs: limits.timeoutMs,
    maxBytes: limits.maxBytes,
  })
  if (response.status >= 200 && response.status <= 299) return response
  const { status, headers } = response
  throw refusedByStatus(status, (await response.text()).slice(0, 65_536), { hasKey: wired.hasKey, headers })
}

/** Nothing is asked, and no key shown, but on origins that the definition itself names. */
async function destination({ outbound, url, origins }: ProviderAccess, { address }: FormatRequest) {
  if (address === undefined) return url
  const target = URL.parse(address, url.href)
  if (!target || (target.origin !== url.origin && !origins.includes(target.origin))) {
    throw new ProviderFailure('malformed', 'The provider named an address elsewhere, which Atrium doesn’t call.')
  }
  return await outbound.check(target.href)
}

function bodyOf({ json, form, bytes }: FormatRequest): { type?: string; body?: string | Uint8Array } {
  if (bytes) return { type: bytes.mediaType, body: bytes.bytes }
  if (form) {
    const encoded = encodeForm(form)
    return { type: encoded.type, body: encoded.bytes }
  }
  return json === undefined ? {} : { type: 'application/json', body: JSON.stringify(json) }
}

/** A page of a portal is no answer, whatever was asked for. */
async function jsonOf(mediaType: string, bytes: Uint8Array, limits: Limits, signal: AbortSignal) {
  if (/^text\/html/i.test(mediaType)) throw unreadableAnswer()
  if (/^(image|audio|video)\/|octet-stream/i.test(mediaType)) return null
  const value = await readJson(bytes, limits.maxMembers, signal)
  if (Array.isArray(value)) return value as readonly unknown[]
  return typeof value === 'object' ? (value as Reply['json']) : null
}

async function readFrames<R>(
  response: OutboundResponse,
  reader: FrameReader<R>,
  heard: ((news: CallNews) => void) | undefined,
): Promise<R> {
  const framing = createFraming('sse', maxPictureFrameLength)
  const take = (frames: readonly string[]): void => {
    for (const frame of frames) {
      const news = reader.frame(frame)
      if (news) heard?.(news)
    }
  }
  for await (const chunk of response.body) take(framing.push(chunk))
  take(framing.end())
  return reader.end()
}
