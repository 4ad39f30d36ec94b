/** The certificate that a server shows: until when it holds, and whether it is trusted here. */
import { type TLSSocket, connect } from 'node:tls'
import { openSocket, resolveHost } from './socket.ts'
import { OutboundFailure } from './types.ts'

export interface ServerCertificate {
  readonly host: string
  /** Milliseconds. */
  readonly expiresAt: number
  /** Why it is not trusted; null where it is. */
  readonly problem: string | null
}

const connectMs = 5000

/**
 * The certificate at an https address; null for other addresses, and where nothing is reached: many networks lead nobody
 * to their public address from within. Throws where something answers without TLS.
 */
export const readServerCertificate = async (
  { protocol, hostname, port }: URL,
  signal?: AbortSignal,
): Promise<ServerCertificate | null> => {
  if (protocol !== 'https:') return null
  try {
    const addresses = await resolveHost(hostname, connectMs)
    const plain = await openSocket(addresses, Number(port || 443), { timeoutMs: connectMs, signal })
    const host = hostname.replace(/^\[|\]$/g, '')
    return await readFrom(host, connect({ socket: plain, host, servername: host, rejectUnauthorized: false }))
  } catch (error) {
    if (error instanceof OutboundFailure) return null
    throw error
  }
}

const readFrom = (host: string, socket: TLSSocket): Promise<ServerCertificate> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('No TLS connection was made in time.')), connectMs)
    socket.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    socket.once('secureConnect', () => {
      clearTimeout(timer)
      const { valid_to: end } = socket.getPeerCertificate()
      const problem = socket.authorized ? null : String(socket.authorizationError)
      socket.destroy()
      resolve({ host, expiresAt: Date.parse(end), problem })
    })
  })
