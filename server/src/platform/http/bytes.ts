/** Answers that are somebody's bytes: nothing in them may run in our origin. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BytesAnswer } from './area.ts'
import { bytesPolicy, disposition } from './headers.ts'

export const answerBytes = (request: FastifyRequest, reply: FastifyReply, answer: BytesAnswer): FastifyReply => {
  const { body } = answer
  // Hashing more than this would hold up everybody else for too long.
  const etag = body.byteLength <= 1024 * 1024 ? `"${createHash('sha256').update(body).digest('base64url')}"` : null
  void reply.headers({
    'content-type': answer.mediaType,
    'content-disposition': disposition(answer.disposition, answer.fileName),
    'content-security-policy': bytesPolicy,
    'x-frame-options': 'SAMEORIGIN',
    'cache-control': 'private, no-cache',
    ...(etag ? { etag } : {}),
  })
  if (etag && request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
}
