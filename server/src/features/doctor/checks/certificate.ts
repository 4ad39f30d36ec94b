/** The certificate at the public address: who made it is for the client to judge; here, how long it still holds. */
import {
  type CheckOutcome,
  type DiagnosticCheck,
  reportFailure,
  reportPass,
  reportWarning,
} from '../../../platform/diagnostics/checks.ts'
import { readServerCertificate } from '../../../platform/outbound/certificate.ts'

const dayMs = 24 * 3600_000

export const certificateCheck = (baseUrl: URL | undefined): DiagnosticCheck => ({
  id: 'certificate',
  watched: true,
  async run(signal) {
    if (!baseUrl) return null
    try {
      const found = await readServerCertificate(baseUrl, signal)
      return found && judgeCertificate(found.host, Math.floor((found.expiresAt - Date.now()) / dayMs), found.problem)
    } catch (error) {
      return reportWarning(`${baseUrl.origin} answers without TLS: ${(error as Error).message}`)
    }
  },
})

/** `days` until it ends; `problem`: why it is not trusted, null where it is. */
export const judgeCertificate = (host: string, days: number, problem: string | null): CheckOutcome => {
  if (days < 0) return reportFailure(`The certificate of ${host} expired ${-days} days ago. Renew it.`)
  if (problem)
    return reportWarning(
      `The certificate of ${host} is not trusted by the server (${problem}); it is valid for ${days} more days.`,
    )
  if (days < 3) return reportFailure(`The certificate of ${host} expires in ${days} days. Renew it now.`)
  if (days < 15)
    return reportWarning(`The certificate of ${host} expires in ${days} days. Its renewal doesn’t seem to work.`)
  return reportPass(`The certificate of ${host} is valid for ${days} more days.`)
}
