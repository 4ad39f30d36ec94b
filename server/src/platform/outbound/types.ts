/** The one way out of the process. */
export type Checked<T> = T & { readonly __checked: true }

export type OutboundFailureKind = 'unreachable' | 'redirected' | 'timeout' | 'too-large' | 'aborted' | 'reset'

/** Why a call did not end well. Never holds a body, a header or a key. */
export class OutboundFailure extends Error {
  readonly kind: OutboundFailureKind
  constructor(kind: OutboundFailureKind, detail: string) {
    super(detail)
    this.kind = kind
  }
}

/** What calls a request off: an AbortSignal, or something lighter that can be listened to in the same way. */
export interface CancelSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'MKCOL' | 'MOVE' | 'PROPFIND'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: CancelSignal
  readonly connectMs?: number
  /** Longest wait for headers. */
  readonly headersMs?: number
  /** Longest silence within the body. */
  readonly idleMs?: number
  readonly maxBytes: number
  /** Give a redirect as an answer instead of refusing it; for whoever tells of it and does not follow it with a credential. */
  readonly showRedirects?: boolean
}

export interface OutboundResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Throws OutboundFailure in the middle when cut, stalled or too large. */
  readonly body: AsyncIterable<Uint8Array>
  /** Reads the rest at once. Either this, `text` or `body` is to be used. */
  bytes(): Promise<Buffer>
  /** Reads the rest as UTF-8 text. */
  text(): Promise<string>
  /** Drops the connection. */
  discard(): void
}

/** A way out that not everything is reached by. */
export interface OutboundGate {
  /** Parses, resolves and checks an address. Refuses with `url_not_allowed` and a reason in words. */
  check(url: string): Promise<Checked<URL>>
  /** Calls a checked address; the address is checked again where the socket connects. Redirects are not followed. */
  request(url: Checked<URL>, request: OutboundRequest): Promise<OutboundResponse>
}

export interface Outbound extends OutboundGate {
  /** The same to public addresses alone, whatever is on the operator's list. */
  readonly toPublic: OutboundGate
  close(): Promise<void>
}
