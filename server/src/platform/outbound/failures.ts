/** What the network says, in the few words that callers act on. Nothing of the peer's text is kept. */
import { Refusal } from '../http/refusal.ts'
import { OutboundFailure, type OutboundFailureKind, type CancelSignal } from './types.ts'

/** Translates an error of the HTTP client. Refusals and failures of ours pass as they are. */
export const asFailure = (error: unknown, signal?: CancelSignal): OutboundFailure | Refusal => {
  if (signal?.aborted) return new OutboundFailure('aborted', 'The call was cancelled.')
  if (error instanceof OutboundFailure || error instanceof Refusal) return error
  const inner = innermost(error)
  if (inner instanceof OutboundFailure || inner instanceof Refusal) return inner
  const [kind, words] = byCode[codeOf(error)] ?? byCode[codeOf(inner)] ?? (isGarbled(error) ? garbled : unknown)
  return new OutboundFailure(kind, words)
}

type Words = readonly [OutboundFailureKind, string]
const unknown: Words = ['unreachable', 'The server couldn’t be reached.']
const garbled: Words = ['reset', 'The server did not answer in HTTP.']
const late: Words = ['timeout', 'The server took too long to answer.']
const cut: Words = ['reset', 'The connection broke off before the answer was complete.']
const badTls: Words = ['unreachable', 'The certificate of the server is not valid.']
const byCode: Readonly<Record<string, Words>> = {
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'The server didn’t accept the connection in time.'],
  UND_ERR_HEADERS_TIMEOUT: late,
  UND_ERR_BODY_TIMEOUT: ['timeout', 'The server stopped responding before its response was complete.'],
  UND_ERR_SOCKET: cut,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: cut,
  UND_ERR_ABORTED: ['aborted', 'The call was cancelled.'],
  UND_ERR_DESTROYED: ['aborted', 'The service is stopping.'],
  UND_ERR_CLOSED: ['aborted', 'The service is stopping.'],
  UND_ERR_HEADERS_OVERFLOW: ['too-large', 'The response headers are too large.'],
  UND_ERR_INVALID_ARG: ['unreachable', 'The call couldn’t be made: an address or header is invalid.'],
  HPE_HEADER_OVERFLOW: ['too-large', 'The response headers are too large.'],
  ECONNRESET: cut,
  EPIPE: cut,
  ECONNREFUSED: ['unreachable', 'Nothing responds at this address.'],
  ENOTFOUND: ['unreachable', 'The host name couldn’t be found.'],
  EAI_AGAIN: ['unreachable', 'The host name couldn’t be looked up right now.'],
  ETIMEDOUT: ['timeout', 'The server didn’t accept the connection in time.'],
  EHOSTUNREACH: unknown,
  ENETUNREACH: unknown,
  CERT_HAS_EXPIRED: badTls,
  DEPTH_ZERO_SELF_SIGNED_CERT: badTls,
  SELF_SIGNED_CERT_IN_CHAIN: badTls,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: badTls,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: badTls,
  ERR_TLS_CERT_ALTNAME_INVALID: badTls,
}

/** The parser's errors carry a code only sometimes. */
const isGarbled = (error: unknown): boolean => error instanceof Error && error.name === 'HTTPParserError'

const codeOf = (error: unknown): string => {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : ''
}

/** Several attempts (one per address) come as one error with `errors`; the last one tells the most. */
const innermost = (error: unknown): unknown => {
  let inner = error
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if (inner instanceof OutboundFailure || inner instanceof Refusal) return inner
    const next = inner instanceof AggregateError ? inner.errors.at(-1) : inner.cause
    if (next === undefined) return inner
    inner = next
  }
  return inner
}
