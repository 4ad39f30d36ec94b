/** What the contract says is for the audit: written before the answer leaves, whether the call went well or not. */
import type { Route } from '@atrium/contract/route'
import type { FastifyRequest, onSendAsyncHookHandler } from 'fastify'
import { type Audit, actorOf } from '../audit/index.ts'
import { fail } from './refusal.ts'

/**
 * The hook of a route that is for the audit; null for others. Calls of guests and those past a rate rule are left out:
 * they could fill the audit, and have their place in the log.
 */
export const createRecording = (
  area: string,
  route: Route,
  { audit, report }: { audit: Audit | null; report(error: unknown, request: FastifyRequest): void },
): onSendAsyncHookHandler | null => {
  const { audit: action } = route
  if (!action || !audit) return null
  const [kind = action] = action.split('.')
  return async (request, reply, payload) => {
    const { caller, id: requestId, ip: address } = request
    const status = reply.statusCode
    if (!caller || status === 429 || request.audited) return payload
    // Once for a call, by what came of it first.
    request.audited = true
    const fields = fieldsOf(request.body)
    const changes = status < 400 ? [...new Set(request.changes)].slice(0, mostFields) : []
    const written = audit.record({
      ...actorOf({ caller, requestId, address }),
      action,
      // Settings have no id of their own: the area says which they are.
      target: { type: kind, id: kind === 'setting' ? area : (idOf(request.params) ?? nameOf(kind, request)) },
      result: status < 400 ? 'success' : status === 401 || status === 403 ? 'denied' : 'failure',
      details: {
        route: `${request.method} ${route.path}`,
        ...(fields.length > 0 ? { fields } : {}),
        ...(changes.length > 0 ? { changes } : {}),
      },
    })
    try {
      await written
    } catch (error) {
      report(error, request)
      // A refusal leaves as it is: an error from here would be answered past the closed table of errors.
      if (status < 400) throw fail('unavailable', notWritten)
    }
    return payload
  }
}

const notWritten =
  'This was done but couldn’t be written to the audit, because the database stopped responding. Check before you try again.'

/** What the path names first. */
const idOf = (params: unknown): string | null => soundId(Object.values(params as Record<string, string>)[0])

/** Models of the local runtime have no id but their name, which stands in the query or the body. */
const nameOf = (kind: string, { query, body }: { readonly query: unknown; readonly body: unknown }): string | null => {
  if (kind !== 'model') return null
  const { name, destination } = { ...(query as object), ...(body as object | null) } as Record<string, unknown>
  return soundId(name ?? destination)
}

/** Nothing that no id can be, as PostgreSQL keeps no text with a zero in it. */
const soundId = (id: unknown): string | null =>
  typeof id === 'string' && id !== '' && id.length <= 200 && !/\p{Cc}/u.test(id) ? id : null

const mostFields = 32

/** Names of what was sent, never its values. */
const fieldsOf = (body: unknown): string[] =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.keys(body)
        .slice(0, mostFields)
        .map((name) => name.slice(0, 60))
    : []
