/** Everything that goes wrong becomes one shape: RFC 9457 problem details with a stable code. */
import type { Problem } from '@atrium/contract/common'
import type { ErrorCode } from '@atrium/contract/errors'
import { isDamage } from '../db/errors.ts'
import { loadPackage } from '../load-package.ts'
import { type Refusal, fail, isRefusal } from './refusal.ts'

export const problemType = 'application/problem+json; charset=utf-8'

/** The refusal behind an error, or null when the error is a bug. */
export const toRefusal = (error: unknown): Refusal | null => {
  if (isRefusal(error)) return error
  const code = codeOf(error)
  if (code === undefined) return null
  if (diskFull.has(code)) return fail('storage_full')
  if (isDamage(code))
    return fail('unavailable', 'The server’s database is damaged. The operator has to restore a copy; see the log.')
  const known = transport[code]
  return known ? fail(known[0], known[1]) : null
}

/** The body of an answer for a refusal. */
export const toProblem = (refusal: Refusal, requestId: string): Problem => ({
  type: 'about:blank',
  title: loadPackage('node:http').STATUS_CODES[refusal.status] ?? 'Error',
  status: refusal.status,
  code: refusal.code,
  detail: refusal.message,
  requestId,
  ...(refusal.issues ? { errors: [...refusal.issues] } : {}),
  ...(refusal.current ? { current: refusal.current } : {}),
})

/** How long to wait before trying again, where time helps; null where it does not, or nobody knows. */
export const waitMsOf = ({ code, waitMs }: Refusal): number | null => waitMs ?? usualWaitsMs[code] ?? null

/** Short where the cause is a start, a stop or a lost connection; a full disk is emptied by a person. */
const usualWaitsMs: Partial<Record<ErrorCode, number>> = {
  unavailable: 2000,
  directory_unreachable: 5000,
  storage_full: 30_000,
}

const codeOf = (error: unknown): string | undefined => {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : undefined
}

/** No room left: the file system, SQLite, PostgreSQL. */
const diskFull = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'])

/** What the HTTP layer itself finds wrong with a request. */
const transport: Record<string, readonly [ErrorCode, string?]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['request_aborted'],
  FST_ERR_BAD_URL: ['validation_failed', 'The address contains invalid percent-encoding.'],
  FST_ERR_MAX_PARAM_LENGTH: ['validation_failed', 'A part of the address is too long.'],
  ECONNRESET: ['request_aborted'],
  ERR_STREAM_PREMATURE_CLOSE: ['request_aborted'],
  HPE_HEADER_OVERFLOW: ['headers_too_large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout'],
}
