/** Requests that are not as HTTP wants them. */
import type { FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { problemType, toProblem, toRefusal } from './problem.ts'
import { fail } from './refusal.ts'

/** What the parser of Node could not read is answered in our shape on the bare socket. */
export const answerBrokenRequest = (
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
  headers: Readonly<Record<string, string>>,
): void => {
  // In the middle of another answer on this connection nothing can be said any more.
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null }
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent) return void socket.destroy()
  const refusal = toRefusal(error) ?? fail('validation_failed', 'This isn’t a valid HTTP request.')
  const problem = toProblem(refusal, requestId)
  const body = JSON.stringify(problem)
  const head = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'content-type': problemType,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${head.join('\r\n')}\r\n\r\n${body}`)
}

/** What the parser lets pass and HTTP/1.1 does not (RFC 9112, sections 2.3 and 3.2). */
export const checkHead = ({ raw }: FastifyRequest): void => {
  if (raw.httpVersion !== '1.1' && raw.httpVersion !== '1.0')
    throw fail('validation_failed', `HTTP/${raw.httpVersion} isn’t supported. Use HTTP/1.1.`)
  let hosts = 0
  for (let at = 0; at < raw.rawHeaders.length; at += 2) if (isHost(raw.rawHeaders[at])) hosts += 1
  if (hosts > 1) throw fail('validation_failed', 'The request has more than one Host header.')
  if (hosts === 0 && raw.httpVersion === '1.1') throw fail('validation_failed', 'The request has no Host header.')
}

const isHost = (name: string | undefined): boolean => name?.length === 4 && name.toLowerCase() === 'host'
