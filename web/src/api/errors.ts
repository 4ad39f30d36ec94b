/** What goes wrong on the way to the server and back, and its words on screen. */
import type { Problem as ProblemBody } from '@atrium/contract/common'
import { areaNames } from '@atrium/contract'
import { i18n } from '../lib/texts.ts'
import 'virtual:words/errors'

/** A refusal by the server (`code` from the contract's table), or `offline` / `bad_answer` where none arrived. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: string
  readonly status: number
  readonly requestId: string | null
  readonly fields: readonly { path: string; message: string }[]
  /** How long to wait before another try, where the server says so. */
  readonly retryAfterMs: number | null

  constructor(
    code: string,
    detail: string,
    more: { status?: number; requestId?: string; fields?: ProblemBody['errors']; retryAfterMs?: number | null } = {},
  ) {
    super(detail)
    this.code = code
    this.status = more.status ?? 0
    this.requestId = more.requestId ?? null
    this.fields = more.fields ?? []
    this.retryAfterMs = more.retryAfterMs ?? null
  }
}

/** Reads the problem out of an answer that is not a success. Never throws. */
export async function problemOf(response: Response): Promise<Problem> {
  const retryAfter = Number(response.headers.get('retry-after'))
  const more = {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfter > 0 ? retryAfter * 1000 : null,
  }
  const body = (await response.json().catch(() => null)) as Partial<ProblemBody> | null
  // A proxy in front of us may answer with a page of its own.
  if (typeof body?.code !== 'string')
    return new Problem(response.status >= 500 ? 'unavailable' : 'bad_answer', '', more)
  return new Problem(body.code, body.detail ?? '', {
    ...more,
    requestId: body.requestId ?? more.requestId,
    fields: body.errors,
  })
}

/** The code of a problem, or `internal` for everything that is no problem but a mistake in the program. */
export const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : 'internal')

/** Whether the server says that something is not there, or not for this account: another try would not help. */
export const isNotFound = (error: unknown): boolean => codeOf(error).endsWith('_not_found')

/** Whether a refusal is about the password that somebody chose; its words belong to that field. */
export const isAboutPassword = (error: unknown): boolean => ['weak_password', 'common_password'].includes(codeOf(error))

/** The key of the words for a code: the common ones, or what an area keeps under `errors` among its own words. */
export const codeWords = (code: string): string | undefined =>
  [`errors:${code}`, ...areaNames.map(({ name }) => `${name}:errors.${code}`)].find((key) => i18n.exists(key))

/**
 * One sentence about an error for a person, in the language on screen. English takes the server's own sentence, which
 * may be more exact than the one for its code.
 */
export function wordsOf(error: unknown): string {
  const code = codeOf(error)
  const detail = error instanceof Problem ? error.message : ''
  if (detail && i18n.language.startsWith('en')) return detail
  const key = codeWords(code)
  return key ? i18n.t(key) : detail || i18n.t('errors:internal')
}

/** What to pass on when asking for help: code, status, request id, and the fields that were refused. */
export function detailsOf(error: unknown): string {
  if (!(error instanceof Problem)) return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const fields = error.fields.map((field) => `${field.path}: ${field.message}`)
  return [`${error.code} (${error.status})`, error.requestId && `request ${error.requestId}`, ...fields]
    .filter(Boolean)
    .join('\n')
}

/** What a window says of a call that failed; null where it did not. */
export const failureOf = (error: unknown): { title: string; details: string } | null =>
  error ? { title: wordsOf(error), details: detailsOf(error) } : null
