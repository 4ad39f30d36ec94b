/** Whether all processes of the instance have the same encryption key. */
import { type DiagnosticCheck, reportFailure, reportPass, reportWarning } from '../../../platform/diagnostics/checks.ts'
import type { Processes } from '../../../platform/processes/index.ts'

export const sameKeyCheck = (processes: Pick<Processes, 'list'>): DiagnosticCheck => ({
  id: 'key-processes',
  watched: true,
  async run() {
    // Processes of an older version do not tell.
    const reporting = processes.list().filter(({ keyFingerprint }) => keyFingerprint !== undefined)
    if (reporting.length < 2) return null
    const places = Map.groupBy(reporting, ({ keyFingerprint }) => keyFingerprint)
    if (places.size === 1) return reportPass(`All ${reporting.length} processes have the same encryption key.`)
    const parts = [...places].map(
      ([fingerprint, list]) => `${fingerprint} (${list.map(({ host, pid }) => `${host} ${pid}`).join(', ')})`,
    )
    // While the key is replaced, some have the new one and know the one before.
    const next = reporting.find(({ previousKeyFingerprint }) => previousKeyFingerprint !== undefined)
    const both = [next?.keyFingerprint, next?.previousKeyFingerprint]
    if (next && reporting.every(({ keyFingerprint }) => both.includes(keyFingerprint)))
      return reportWarning(
        `The encryption key is being replaced, and processes have different ones: ${parts.join('; ')}. Give all of them ${both[0]} as ENCRYPTION_KEY and ${both[1]} as ENCRYPTION_KEY_PREVIOUS, then run npm run rotate-key.`,
      )
    return reportFailure(
      `Processes have different encryption keys: ${parts.join('; ')}. Give all of them the same ENCRYPTION_KEY.`,
    )
  },
})
