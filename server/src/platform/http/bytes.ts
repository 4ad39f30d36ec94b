/** Answers that are somebody's bytes: nothing in them may run in our origin. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BytesAnswer } from './area.ts'
import type { Downloads } from './downloads.ts'
import { bytesPolicy, contentDisposition } from './headers.ts'
import { allowsRange, isKnown, type Range, readRange } from './ranges.ts'
import { fail, isRefusal } from './refusal.ts'

export interface BytesDeps {
  readonly downloads: Downloads
  report(error: unknown, request: FastifyRequest): void
}

/** `signal` aborts when nobody may go on reading: what is on its way is cut off then. */
export const answerBytes = async (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: BytesAnswer,
  by: BytesDeps & { readonly noStore: boolean; readonly signal: AbortSignal },
): Promise<FastifyReply> => {
  const { body, ownPage } = answer
  if (ownPage && body instanceof Uint8Array) return reply.headers(ownPage).send(body)
  const etag = by.noStore ? null : etagOf(body)
  void reply.headers({
    'content-type': typeThatNeverRuns(answer.mediaType),
    'content-disposition': contentDisposition(answer.disposition, answer.fileName),
    'content-security-policy': answer.policy ?? bytesPolicy,
    'x-frame-options': 'SAMEORIGIN',
    'cache-control': by.noStore ? 'no-store' : `private, ${keepingOf(answer)}`,
    ...(etag ? { etag } : {}),
  })
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (body instanceof Uint8Array) return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
  if (Symbol.asyncIterator in body)
    return request.method === 'HEAD' ? sendHead(reply) : await sendPieces(request, reply, body, by)
  const { start, end } = chooseRange(request, reply, body.size, etag)
  void reply.header('content-length', end - start)
  if (request.method === 'HEAD') return sendHead(reply)
  return await sendPieces(request, reply, body.lend?.(start, end) ?? body.read(start, end), by)
}

/** Without anything, the framework would say that there are no bytes. */
const sendHead = (reply: FastifyReply): FastifyReply => reply.send(Readable.from([]))

/** Names these very bytes; null where nothing does. Hashing more than this would hold up everybody else for too long. */
const etagOf = (body: BytesAnswer['body']): string | null => {
  if (body instanceof Uint8Array)
    return body.byteLength <= 1024 * 1024 ? `"${createHash('sha256').update(body).digest('base64url')}"` : null
  return 'id' in body && body.id !== undefined ? `"${body.id}"` : null
}

/** The range that the answer gives, with the head that says so. Refuses with `range_not_satisfiable`. */
const chooseRange = (request: FastifyRequest, reply: FastifyReply, size: number, etag: string | null): Range => {
  void reply.header('accept-ranges', 'bytes')
  const { range, 'if-range': ifRange } = request.headers
  // Ranges are of GET alone.
  const asked = request.method === 'GET' && allowsRange(one(ifRange), etag) ? readRange(range, size) : null
  if (asked === 'beyond') {
    void reply.header('content-range', `bytes */${size}`).removeHeader('content-disposition').removeHeader('etag')
    throw fail('range_not_satisfiable')
  }
  if (asked) void reply.code(206).header('content-range', `bytes ${asked.start}-${asked.end - 1}/${size}`)
  return asked ?? { start: 0, end: size }
}

const one = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.join()

/** An error before the first piece is an answer of its own; later ones cut the connection. */
const sendPieces = async (
  request: FastifyRequest,
  reply: FastifyReply,
  body: AsyncIterable<Uint8Array>,
  { downloads, report, signal }: BytesDeps & { readonly signal: AbortSignal },
): Promise<FastifyReply> => {
  const pieces = body[Symbol.asyncIterator]()
  const first = await pieces.next().catch((error: unknown) => {
    // What was said of the bytes does not hold for the answer that says why there are none.
    for (const name of ['content-length', 'content-range', 'content-disposition', 'accept-ranges', 'etag'])
      void reply.removeHeader(name)
    throw error
  })
  const response = reply.raw
  const cut = (): void => void response.destroy()
  if (signal.aborted) cut()
  signal.addEventListener('abort', cut, { once: true })
  const failed = (error: unknown): void => {
    if (!isRefusal(error) && !response.destroyed) report(error, request)
  }
  return downloads.send(reply, { pieces, first, failed })
}

const keepingOf = ({ immutable, maxAgeSeconds }: BytesAnswer): string => {
  if (immutable) return 'max-age=31536000, immutable'
  return maxAgeSeconds === undefined ? 'no-cache' : `max-age=${maxAgeSeconds}`
}

/** What browsers run, or read as a page that may hold what runs: never somebody's bytes in our origin. */
const running =
  /^(text\/(html|xml|xsl|vbscript)|application\/(xml|wasm|x-shockwave-flash)|\w+\/([\w.-]*(java|ecma)script|[\w.-]+\+xml)|(message|multipart)\/.*)$/i

/** The type as it is, or `application/octet-stream`: whatever the bytes are called, they are saved and not run. */
export const typeThatNeverRuns = (mediaType: string): string =>
  running.test(mediaType.split(';')[0]?.trim() ?? '') ? 'application/octet-stream' : mediaType
