/** Answers that are somebody's bytes: nothing in them may run in our origin. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BytesAnswer, BytesInParts } from './area.ts'
import { bytesPolicy, contentDisposition } from './headers.ts'
import { fail } from './refusal.ts'

export const answerBytes = async (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: BytesAnswer,
  noStore = false,
): Promise<FastifyReply> => {
  void reply.headers({
    'content-type': typeThatNeverRuns(answer.mediaType),
    'content-disposition': contentDisposition(answer.disposition, answer.fileName),
    'content-security-policy': bytesPolicy,
    'x-frame-options': 'SAMEORIGIN',
    'cache-control': noStore ? 'no-store' : 'private, no-cache',
  })
  const { body } = answer
  if (Symbol.asyncIterator in body) return reply.send(Readable.from(body, { objectMode: false }))
  if (!(body instanceof Uint8Array)) return await answerPart(request, reply, body)
  // Hashing more than this would hold up everybody else for too long.
  const etag =
    body.byteLength <= 1024 * 1024 && !noStore ? `"${createHash('sha256').update(body).digest('base64url')}"` : null
  if (etag) void reply.header('etag', etag)
  if (etag && request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
}

/** What browsers run, or read as a page that may hold what runs: never somebody's bytes in our origin. */
const running =
  /^(text\/(html|xml|xsl|vbscript)|application\/(xml|wasm|x-shockwave-flash)|\w+\/([\w.-]*(java|ecma)script|[\w.-]+\+xml)|(message|multipart)\/.*)$/i

/** The type as it is, or `application/octet-stream`: whatever the bytes are called, they are saved and not run. */
export const typeThatNeverRuns = (mediaType: string): string =>
  running.test(mediaType.split(';')[0]?.trim() ?? '') ? 'application/octet-stream' : mediaType

const answerPart = async (request: FastifyRequest, reply: FastifyReply, body: BytesInParts): Promise<FastifyReply> => {
  const { size } = body
  void reply.header('accept-ranges', 'bytes')
  // There is nothing by which a condition could hold, so all of it is given.
  const asked = request.headers['if-range'] === undefined ? readRange(request.headers.range, size) : null
  if (asked === 'beyond') {
    void reply.header('content-range', `bytes */${size}`).removeHeader('content-disposition')
    throw fail('range_not_satisfiable')
  }
  const { start, end } = asked ?? { start: 0, end: size }
  if (asked) void reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${size}`)
  const part = await body.part(start, end)
  if (!part) throw fail('route_not_found', 'This was removed meanwhile.')
  return reply.send(Buffer.from(part.buffer, part.byteOffset, part.byteLength))
}

/**
 * The one range of a `Range` header (RFC 9110, 14), its end left out; null where there is none or it is of a form that
 * may be passed over, which several ranges are.
 */
export const readRange = (
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'beyond' | null => {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replace(/\s+/g, '') ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return null
  if (from === '')
    return Number(to) === 0 || size === 0 ? 'beyond' : { start: Math.max(0, size - Number(to)), end: size }
  const start = Number(from)
  if (to !== '' && Number(to) < start) return null
  if (start >= size) return 'beyond'
  return { start, end: to === '' ? size : Math.min(size, Number(to) + 1) }
}
