/** Whether a request for a WebSocket arrives as one. */
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { randomBytes } from 'node:crypto'

const waitMs = 10_000

/**
 * Asks for `/ws` without a ticket (RFC 6455, section 4.1). The server refuses that with 401 where the upgrade arrived, and
 * with 426 where a proxy dropped it. Never rejects.
 */
export const opensWebSocket = (origin: string): Promise<boolean> =>
  new Promise((resolve) => {
    const ask = origin.startsWith('https:') ? secureRequest : plainRequest
    const question = ask(`${origin}/ws`, {
      timeout: waitMs,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
    })
    question.once('response', (response) => {
      response.resume()
      resolve(response.statusCode === 401)
    })
    question.once('upgrade', (_, socket) => {
      socket.destroy()
      resolve(true)
    })
    question.once('timeout', () => question.destroy(new Error('no answer in time')))
    question.once('error', () => resolve(false))
    question.end()
  })
