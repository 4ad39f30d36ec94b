/**
 * One call and its answer: headers, then the body, counted, with every way it can break off in our words. It takes the
 * pieces from the HTTP client as they come; a stream object for each answer would cost more than all the rest of a call.
 */
import type { Dispatcher } from 'undici'
import { asFailure } from './failures.ts'
import { OutboundFailure, type OutboundRequest, type OutboundResponse } from './types.ts'

type Controller = Dispatcher.DispatchController
type Step = IteratorResult<Uint8Array, undefined>

/** So much may wait for a slow reader before the server is made to wait. */
const roomBytes = 64 * 1024

export class Answer implements OutboundResponse, Dispatcher.DispatchHandler, AsyncIterableIterator<Uint8Array> {
  status = 0
  headers: Readonly<Record<string, string>> = {}
  readonly #request: OutboundRequest
  #begun: { resolve(answer: OutboundResponse): void; reject(why: unknown): void } | null
  #controller: Controller | null = null
  /** Pieces that came and were not taken. */
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #received = 0
  #ended = false
  #failure: unknown = null
  /** Whoever wants the next piece, or the whole body. */
  #reader: { resolve(step: Step): void; reject(why: unknown): void } | null = null
  #collecting = false
  readonly #calledOff = (): void => this.#stop(new OutboundFailure('aborted', 'The call was cancelled.'))

  constructor(
    request: OutboundRequest,
    begun: { resolve(answer: OutboundResponse): void; reject(why: unknown): void },
  ) {
    this.#request = request
    this.#begun = begun
    request.signal?.addEventListener('abort', this.#calledOff)
  }

  get body(): AsyncIterableIterator<Uint8Array> {
    return this
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#failure !== null) controller.abort(this.#failure as Error)
  }

  onResponseStart(
    _controller: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // What comes before the answer (`103 Early Hints`) is not the answer.
    if (status < 200) return
    const redirects = status >= 300 && status < 400 && status !== 304
    if (redirects && !this.#request.showRedirects) return this.#stop(redirected())
    this.status = status
    this.headers = plainHeaders(headers)
    if (Number(this.headers['content-length'] ?? 0) > this.#request.maxBytes) return this.#stop(tooLarge())
    this.#begun?.resolve(this)
    this.#begun = null
  }

  onResponseData(controller: Controller, piece: Uint8Array): void {
    if (this.#failure !== null) return
    this.#received += piece.byteLength
    if (this.#received > this.#request.maxBytes) return this.#stop(tooLarge())
    const reader = this.#collecting ? null : this.#reader
    if (reader) {
      this.#reader = null
      return reader.resolve({ value: piece, done: false })
    }
    this.#waiting.push(piece)
    this.#waitingBytes += piece.byteLength
    if (this.#waitingBytes > roomBytes && !this.#collecting) controller.pause()
  }

  onResponseEnd(): void {
    this.#over()
    this.#ended = true
    this.#reader?.resolve(done)
    this.#reader = null
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#fail(asFailure(this.#failure ?? error, this.#request.signal))
  }

  next(): Promise<Step> {
    const [first] = this.#waiting
    if (first !== undefined) {
      // All at once: a server that sends single letters would otherwise cost a turn for each of them.
      const value = this.#waiting.length === 1 ? first : Buffer.concat(this.#waiting, this.#waitingBytes)
      this.#waiting = []
      this.#waitingBytes = 0
      if (this.#controller?.paused) this.#controller.resume()
      return Promise.resolve({ value, done: false })
    }
    if (this.#ended) return Promise.resolve(done)
    if (this.#failure !== null) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject }
    })
  }

  /** Reached when the reader stops early: an unread body would hold its socket. */
  return(): Promise<Step> {
    this.discard()
    this.#ended = true
    return Promise.resolve(done)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async bytes(): Promise<Buffer> {
    this.#collecting = true
    if (this.#controller?.paused) this.#controller.resume()
    if (!this.#ended && this.#failure === null) {
      await new Promise<Step>((resolve, reject) => {
        this.#reader = { resolve, reject }
      })
    }
    if (this.#failure !== null) throw this.#failure
    const pieces = this.#waiting
    this.#waiting = []
    const [only] = pieces
    if (pieces.length === 1 && only) return Buffer.from(only.buffer, only.byteOffset, only.byteLength)
    return Buffer.concat(pieces, this.#waitingBytes)
  }

  async text(): Promise<string> {
    const text = (await this.bytes()).toString()
    return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
  }

  discard(): void {
    this.#stop(new OutboundFailure('aborted', 'The answer was dropped.'))
  }

  /** Ends the call from this side. Before it has a connection there is nothing to cut: it ends when it would begin. */
  #stop(why: unknown): void {
    if (this.#ended || this.#failure !== null) return
    this.#waiting = []
    this.#fail(why)
    this.#controller?.abort(why as Error)
  }

  #fail(why: unknown): void {
    this.#over()
    this.#failure ??= why
    this.#begun?.reject(this.#failure)
    this.#begun = null
    this.#reader?.reject(this.#failure)
    this.#reader = null
  }

  #over(): void {
    this.#request.signal?.removeEventListener('abort', this.#calledOff)
  }
}

const done: Step = { value: undefined, done: true }

const byteOrderMark = 0xfeff

const tooLarge = () => new OutboundFailure('too-large', 'The answer is larger than allowed.')
const redirected = () =>
  new OutboundFailure('redirected', 'The server sent the call on to another address, which is not followed.')

/** Headers that came several times are joined; most answers have none, and keep what they have. */
const plainHeaders = (headers: Record<string, string | string[] | undefined>): Record<string, string> => {
  for (const name in headers) {
    const value = headers[name]
    if (Array.isArray(value)) headers[name] = value.join(', ')
  }
  return headers as Record<string, string>
}
