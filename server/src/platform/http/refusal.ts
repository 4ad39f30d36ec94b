import { type ErrorCode, errors } from '@atrium/contract/errors'

/** A refusal that the caller can act on; `platform/http` turns it into problem+json. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly issues: readonly { path: string; message: string }[] | undefined
  /** Where only time helps: how long to wait, told as `Retry-After`. */
  readonly waitMs: number | undefined
  /** Of a conflict: what stands, as whoever asked may read it. */
  readonly current: object | undefined

  constructor(
    code: ErrorCode,
    detail?: string,
    issues?: readonly { path: string; message: string }[],
    waitMs?: number,
    current?: object,
  ) {
    super(detail ?? errors[code][1])
    this.code = code
    this.status = errors[code][0]
    this.issues = issues
    this.waitMs = waitMs
    this.current = current
  }
}

/** Makes a refusal: `throw fail('chat_not_found')`. `detail` replaces the table's sentence, never holds content. */
export const fail = (
  code: ErrorCode,
  detail?: string,
  issues?: readonly { path: string; message: string }[],
): Refusal => new Refusal(code, detail, issues)

/** Somebody else was quicker: the answer has what stands now. */
export const conflictWith = (current: object): Refusal =>
  new Refusal('conflict', undefined, undefined, undefined, current)

/** There was too much of something, and only time helps. */
export const tooManyRefusal = (detail: string, waitMs: number): Refusal =>
  new Refusal('rate_limited', detail, undefined, waitMs)

/** Something is away or busy, and time helps. */
export const unavailableRefusal = (detail: string, waitMs: number): Refusal =>
  new Refusal('unavailable', detail, undefined, waitMs)

export const isRefusal = (error: unknown): error is Refusal => error instanceof Refusal
