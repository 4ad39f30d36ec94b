/** Requests that the parser of Node could not read: answered in our shape on the bare socket. */
import type { Socket } from 'node:net'
import { problemType, toProblem, toRefusal } from './problem.ts'
import { fail } from './refusal.ts'

export const answerBrokenRequest = (
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
  headers: Readonly<Record<string, string>>,
): void => {
  // In the middle of another answer on this connection nothing can be said any more.
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null }
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent) return void socket.destroy()
  const refusal = toRefusal(error) ?? fail('validation_failed', 'This is not a valid HTTP request.')
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
