/** The certificate at the public address: who made it is for the client to judge; here, how long it still holds. */
import { connect } from 'node:tls'
import {
  type CheckOutcome,
  type DiagnosticCheck,
  reportFailure,
  reportPass,
  reportWarning,
} from '../../../platform/diagnostics/checks.ts'
import { openSocket, resolveHost } from '../../../platform/outbound/socket.ts'
import { OutboundFailure } from '../../../platform/outbound/types.ts'

const connectMs = 5000
const dayMs = 24 * 3600_000

export const certificateCheck = (baseUrl: URL | undefined): DiagnosticCheck => ({
  id: 'certificate',
  watched: true,
  async run(signal) {
    if (baseUrl?.protocol !== 'https:') return null
    const { hostname, port } = baseUrl
    try {
      const addresses = await resolveHost(hostname, connectMs)
      const plain = await openSocket(addresses, Number(port || 443), { timeoutMs: connectMs, signal })
      const bare = hostname.replace(/^\[|\]$/g, '')
      return await readCertificate(
        bare,
        connect({ socket: plain, host: bare, servername: bare, rejectUnauthorized: false }),
      )
    } catch (error) {
      // Many networks lead nobody to their public address from within.
      if (error instanceof OutboundFailure) return null
      return reportWarning(`${baseUrl.origin} answers without TLS: ${(error as Error).message}`)
    }
  },
})

const readCertificate = (host: string, socket: ReturnType<typeof connect>): Promise<CheckOutcome> =>
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
      resolve(judgeCertificate(host, Math.floor((Date.parse(end) - Date.now()) / dayMs), problem))
    })
  })

/** `days` until it ends; `problem`: why it is not trusted, null where it is. */
export const judgeCertificate = (host: string, days: number, problem: string | null): CheckOutcome => {
  if (days < 0) return reportFailure(`The certificate of ${host} ended ${-days} days ago. Renew it.`)
  if (problem)
    return reportWarning(
      `The certificate of ${host} is not trusted by the server (${problem}); it holds for ${days} more days.`,
    )
  if (days < 3) return reportFailure(`The certificate of ${host} ends in ${days} days. Renew it now.`)
  if (days < 15)
    return reportWarning(`The certificate of ${host} ends in ${days} days: its renewal does not seem to work.`)
  return reportPass(`The certificate of ${host} holds for ${days} more days.`)
}
