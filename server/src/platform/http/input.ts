/** From the request to checked input; what does not fit is refused with the path of every fault. */
import type { Route } from '@atrium/contract/route'
import type { z } from 'zod'
import { fail } from './refusal.ts'

export interface RawInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/**
 * Checks params, query and body against the route's schemas. Query fields are ignored where the route names none;
 * a body is refused where the route takes none.
 */
export const checkInput = (route: Route, raw: RawInput): RawInput => {
  const issues: Issue[] = []
  const part = (place: string, schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined
    const result = schema.safeParse(value)
    if (result.success) return result.data
    issues.push(...result.error.issues.flatMap((issue) => describe(place, issue)))
    return undefined
  }
  const params = part('params', route.params, raw.params)
  const query = part('query', route.query, raw.query)
  if (hasNul(params) || hasNul(query)) issues.push({ path: 'url', message: 'may not hold the character U+0000' })
  const body = part('body', route.body, raw.body ?? {})
  if (!route.body && !route.upload && !isNothing(raw.body))
    issues.push({ path: 'body', message: 'nothing is taken here' })
  if (issues.length > 0) throw fail('validation_failed', undefined, issues.slice(0, maxIssues))
  return { params, query, body }
}

/** Where a stream goes on: `Last-Event-ID`, else `?after=`, else 0. */
export const readAfter = (lastEventId: string | string[] | undefined, query: unknown): number => {
  if (lastEventId === undefined || lastEventId === '') {
    const after = (query as { after?: unknown } | undefined)?.after
    return typeof after === 'number' ? after : 0
  }
  const seq = Number(lastEventId)
  if (Number.isSafeInteger(seq) && seq >= 0) return seq
  throw fail('validation_failed', undefined, [{ path: 'headers.last-event-id', message: 'must be a whole number' }])
}

interface Issue {
  readonly path: string
  readonly message: string
}

const maxIssues = 20
const describe = (place: string, issue: z.core.$ZodIssue): Issue[] => {
  const path = [place, ...issue.path.map(String)].join('.').slice(0, 200)
  if (issue.code === 'invalid_union') {
    // Of several forms that were possible, the one that fits furthest down is meant: its fault names the place.
    const meant = issue.errors.toSorted((one, other) => depthOf(other) - depthOf(one))[0] ?? []
    if (depthOf(meant) > 0) return meant.flatMap((inner) => describe(path, inner))
  }
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
  return issue.keys
    .slice(0, maxIssues)
    .map((key) => ({ path: `${path}.${key}`.slice(0, 200), message: 'isn’t a known field' }))
}

const depthOf = (issues: readonly z.core.$ZodIssue[]): number => Math.max(0, ...issues.map(({ path }) => path.length))

const hasNul = (fields: unknown): boolean =>
  fields !== undefined &&
  Object.values(fields as object).some((value) => typeof value === 'string' && value.includes('\0'))

const isNothing = (body: unknown): boolean =>
  body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0)
