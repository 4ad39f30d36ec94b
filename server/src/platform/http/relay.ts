/** The answer of a route in a foreign shape: sent whole, or piece by piece once the first one is there. */
import { errors } from '@atrium/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RelayAnswer } from './area.ts'
import { toRefusal } from './problem.ts'
import { fail } from './refusal.ts'
import type { Relays } from './relays.ts'

export interface RelayDeps {
  readonly relays: Relays
  report(error: unknown, request: FastifyRequest): void
  /** How long an answer may keep its client waiting for the head. */
  readonly patienceMs: number
}

/**
 * An error before the first piece is thrown and becomes an answer of its own, unless the wait for it was so long that
 * the head went out first. The stream ends when `controller` aborts.
 */
export const relay = async (
  request: FastifyRequest,
  reply: FastifyReply,
  controller: AbortController,
  answer: RelayAnswer,
  by: RelayDeps,
): Promise<FastifyReply | void> => {
  const { body, mediaType, failed } = answer
  const isStream = mediaType.startsWith('text/event-stream')
  if (answer.status) void reply.code(answer.status)
  if (answer.headers) void reply.headers(answer.headers)
  void reply.header('content-type', mediaType)
  if (isStream) void reply.headers({ 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' })
  else void reply.header('cache-control', 'no-store')
  if (typeof body === 'string') return reply.send(body)
  if (body instanceof Uint8Array) return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
  try {
    const pieces = body[Symbol.asyncIterator]()
    const first = pieces.next()
    // When the client goes before it comes, nobody else would hear that it failed.
    first.catch(() => {})
    await inTime(first, by.patienceMs)
    if (reply.raw.destroyed) return void (await pieces.return?.())
    reply.hijack()
    request.streamed = isStream
    await by.relays.send(reply.raw, reply.getHeaders(), {
      pieces,
      first,
      comment: isStream ? ': \n\n' : null,
      failed: (error) => {
        const refusal = toRefusal(error)
        if (!refusal && !controller.signal.aborted) by.report(error, request)
        return failed?.(refusal ?? fail('internal', errors.internal[1])) ?? null
      },
    })
  } finally {
    controller.abort()
  }
}

/** Waits for the first piece; whoever waits too long goes on without it. */
const inTime = async (first: Promise<unknown>, ms: number): Promise<void> => {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  try {
    await Promise.race([first, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
