/** What routes can refuse with, as responses of an OpenAPI document; routes with the same codes share one. */
import { Problem } from '@atrium/contract/common'
import { type ErrorCode, errors } from '@atrium/contract/errors'
import { AnthropicError, OpenaiError } from '@atrium/contract/public-api'
import type { Dialect, Route } from '@atrium/contract/route'
import { ScimError } from '@atrium/contract/scim'
import { jsonTypeOf } from './dialects.ts'

/** How refusals look: to our own clients, and to those of other makers. */
export const refusalShapes = { Problem, OpenaiError, AnthropicError, ScimError } as const
const refusalNames: Readonly<Record<Dialect, keyof typeof refusalShapes>> = {
  openai: 'OpenaiError',
  anthropic: 'AnthropicError',
  scim: 'ScimError',
}

interface Response {
  readonly description: string
  readonly content: Record<string, { readonly schema: { readonly $ref: string } }>
}

export interface Refusals {
  /** The refusals of a route by status, each as a reference. */
  of(route: Route): Record<string, { readonly $ref: string }>
  /** All that were referred to, by name: their codes, and the dialect where it is not ours. */
  named(): Record<string, Response>
}

export const createRefusals = (): Refusals => {
  const found = new Map<string, Response>()
  return {
    of(route) {
      const byStatus = Map.groupBy(codesOf(route), (code) => errors[code][0])
      return Object.fromEntries(
        [...byStatus].map(([status, codes]) => {
          const name = [...(route.dialect ? [route.dialect] : []), ...codes].join('.')
          if (!found.has(name)) found.set(name, describe(codes, route.dialect))
          return [status, { $ref: `#/components/responses/${name}` }]
        }),
      )
    },
    named: () => Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** The codes of the route, and those that every route of its kind has. */
const codesOf = (route: Route): ReadonlySet<ErrorCode> => {
  const codes = new Set<ErrorCode>(route.errors)
  if (route.params || route.query || route.body || route.upload) codes.add('validation_failed')
  if (route.body) codes.add('unsupported_media_type').add('too_large')
  if (route.upload) codes.add('too_large').add('request_aborted')
  if (route.access !== 'public') codes.add('unauthenticated').add('token_scope')
  if (route.access === 'admin') codes.add('forbidden')
  if (route.proof) codes.add('fresh_proof_needed')
  if (route.method !== 'get') codes.add('cross_origin')
  return codes.add('rate_limited').add('internal').add('unavailable')
}

const describe = (codes: readonly ErrorCode[], dialect: Dialect | undefined): Response => {
  const type = dialect ? jsonTypeOf(dialect) : 'application/problem+json'
  const shape = dialect ? refusalNames[dialect] : 'Problem'
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code][1]}`).join('\n\n'),
    content: { [type]: { schema: { $ref: `#/components/schemas/${shape}` } } },
  }
}
