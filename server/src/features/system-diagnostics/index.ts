/**
 * The state of the instance for those who run it: whether it can serve, and facts of the machine and the process. It
 * changes nothing, and gives no content of accounts.
 */
import { systemDiagnosticsRoutes } from '@atrium/contract/system-diagnostics'
import { bindRoutes } from '../../platform/http/area.ts'
import { type ReadinessCheck, createReadiness } from './readiness.ts'
import { type ReportDeps, createReport } from './report.ts'

export type { ReadinessCheck } from './readiness.ts'

export interface SystemDiagnosticsDeps extends ReportDeps {
  readonly checks: readonly ReadinessCheck[]
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonicNow: () => number
}

export const createSystemDiagnostics = (deps: SystemDiagnosticsDeps) => {
  const readiness = createReadiness(deps.checks, deps.monotonicNow)
  const report = createReport(deps)
  return bindRoutes({
    name: 'system-diagnostics',
    routes: systemDiagnosticsRoutes,
    handlers: {
      live: async () => ({ status: 'alive' as const, version: deps.version }),
      ready: async () => ({ status: 'ready' as const, checks: await readiness() }),
      read: () => report(),
    },
  })
}
