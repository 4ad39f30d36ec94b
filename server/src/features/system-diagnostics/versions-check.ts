/** Whether all processes of the instance are of one version. */
import { type DiagnosticCheck, reportPass, reportWarning } from '../../platform/diagnostics/checks.ts'
import type { Processes } from '../../platform/processes/index.ts'

export const versionsCheck = (processes: Pick<Processes, 'list'>): DiagnosticCheck => ({
  id: 'versions',
  watched: true,
  async run() {
    const versions = new Set(processes.list().map(({ version }) => version))
    if (versions.size <= 1) return reportPass('All processes run the same version.')
    return reportWarning(`Processes run different versions: ${[...versions].join(', ')}. Finish the upgrade.`)
  },
})
