/** Refusals in the shapes that clients of other makers know. Pure. */
import type { ErrorCode } from '@atrium/contract/errors'
import type { Dialect } from '@atrium/contract/route'
import type { Area } from './area.ts'
import type { Refusal } from './refusal.ts'

export interface SaidRefusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** What JSON is called there (RFC 7644, section 3.1, for directories). */
export const jsonTypeOf = (dialect: Dialect | undefined): string =>
  dialect === 'scim' ? 'application/scim+json' : 'application/json'

/** A refusal as a client of this dialect expects it, status included. */
export const formatRefusal = (dialect: Dialect, refusal: Refusal, requestId: string): SaidRefusal => {
  const status = statuses[refusal.code] ?? refusal.status
  const said = sayings[dialect](refusal, status, requestId)
  return {
    status,
    body: said,
    headers: {
      ...(dialect === 'anthropic' ? { 'request-id': requestId } : {}),
      ...(dialect === 'scim' ? { 'content-type': `${jsonTypeOf(dialect)}; charset=utf-8` } : {}),
      // Both families of clients try again on their own unless they are told not to.
      ...(dialect !== 'scim' && hopeless.has(refusal.code) ? { 'x-should-retry': 'false' } : {}),
    },
  }
}

/** Finds the dialect of a path: that of the route which it shares most of its beginning with, if it shares any. */
export const createDialectFinder = (areas: readonly Area[]): ((path: string) => Dialect | null) => {
  const known = areas.flatMap(({ routes }) =>
    Object.values(routes).flatMap(({ path, dialect }) => (dialect ? [{ parts: path.split('/'), dialect }] : [])),
  )
  return (path) => {
    const parts = path.split('/')
    let best: Dialect | null = null
    let most = 1
    for (const { parts: own, dialect } of known) {
      let shared = 0
      while (shared < own.length && own[shared] === parts[shared]) shared += 1
      if (shared > most) {
        most = shared
        best = dialect
      }
    }
    return best
  }
}

/** Where these clients expect another status than ours. */
const statuses: Partial<Record<ErrorCode, number>> = { context_overflow: 400 }

const hopeless: ReadonlySet<ErrorCode> = new Set([
  'over_budget',
  'api_key_needed',
  'provider_rejected',
  'model_unavailable',
  'id_reused',
])

/** Code words that these clients act on; every other code is ours. */
const openaiCodes: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'invalid_api_key',
  context_overflow: 'context_length_exceeded',
  over_budget: 'insufficient_quota',
  rate_limited: 'rate_limit_exceeded',
}

const sayOpenai = (refusal: Refusal, status: number, requestId: string) => ({
  error: {
    message: sentence(refusal),
    type: refusal.code === 'over_budget' ? 'insufficient_quota' : (openaiTypes[status] ?? kindOf(status)),
    param: paramOf(refusal),
    code: openaiCodes[refusal.code] ?? refusal.code,
    request_id: requestId,
  },
})

const openaiTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
}
const kindOf = (status: number): string => (status >= 500 ? 'server_error' : 'invalid_request_error')

const sayAnthropic = (refusal: Refusal, status: number, requestId: string) => ({
  type: 'error',
  error: {
    type: anthropicTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'),
    message: sentence(refusal),
    code: refusal.code,
  },
  request_id: requestId,
})

const anthropicTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
}

/** RFC 7644, section 3.12: the status as text, and a word for what was wrong with the request. */
const sayScim = (refusal: Refusal, status: number) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimTypes[refusal.code] ? { scimType: scimTypes[refusal.code] } : {}),
  detail: sentence(refusal),
})

const scimTypes: Partial<Record<ErrorCode, string>> = {
  validation_failed: 'invalidSyntax',
  scim_filter: 'invalidFilter',
  scim_path: 'invalidPath',
  scim_no_target: 'noTarget',
  scim_value: 'invalidValue',
  scim_mutability: 'mutability',
  last_administrator: 'mutability',
  username_taken: 'uniqueness',
  email_taken: 'uniqueness',
  group_exists: 'uniqueness',
  identity_linked: 'uniqueness',
}

type Saying = (refusal: Refusal, status: number, requestId: string) => Readonly<Record<string, unknown>>
const sayings: Readonly<Record<Dialect, Saying>> = { openai: sayOpenai, anthropic: sayAnthropic, scim: sayScim }

/** The refusal with the first faults that it names. */
const sentence = ({ message, issues = [] }: Refusal): string =>
  [message, ...issues.slice(0, 5).map((issue) => `${issue.path.replace(/^body\./, '')}: ${issue.message}`)].join(' ')

const paramOf = ({ code, issues }: Refusal): string | null =>
  issues?.[0]?.path.replace(/^(body|params|query)\./, '') ?? (code.startsWith('model_') ? 'model' : null)
