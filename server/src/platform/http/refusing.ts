/** Answers requests with refusals, in the shape that their clients know. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dialect } from '@atrium/contract/route'
import type { Area } from './area.ts'
import { createDialectFinder, formatRefusal } from './dialects.ts'
import { problemType, toProblem, toRefusal, waitMsOf } from './problem.ts'
import { type Refusal, fail } from './refusal.ts'

/** What is no refusal is reported, and answered as `internal`. */
export const createRefusing = (
  areas: readonly Area[],
  report: (error: unknown, request: FastifyRequest) => void,
): ((error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply) => {
  const dialectOf = createDialectFinder(areas)
  return (error, request, reply) => {
    const known = toRefusal(error)
    if (!known && !reply.raw.destroyed) report(error, request)
    const refusal = known ?? fail('internal')
    void reply.removeHeader('set-cookie')
    const waitMs = waitMsOf(refusal)
    if (waitMs !== null) void reply.header('retry-after', Math.max(1, Math.ceil(waitMs / 1000)))
    const dialect = dialectOf(request.url.split('?', 1)[0] ?? '/')
    if (dialect)
      return answerIn(
        dialect === 'openai' && request.headers['anthropic-version'] ? 'anthropic' : dialect,
        refusal,
        request,
        reply,
      )
    const { status, ...problem } = toProblem(refusal, request.id)
    return reply
      .code(status)
      .headers({ 'content-type': problemType, 'cache-control': 'no-store' })
      .send(JSON.stringify({ status, ...problem }))
  }
}

/** A refusal in a foreign shape. */
const answerIn = (dialect: Dialect, refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const { status, headers, body } = formatRefusal(dialect, refusal, request.id)
  return reply
    .code(status)
    .headers({ 'content-type': 'application/json; charset=utf-8', ...headers, 'cache-control': 'no-store' })
    .send(JSON.stringify(body))
}
