/**
 * The state of the instance for those who run it: whether it can serve, and facts of the machine and the process. It
 * changes nothing, and gives no content of accounts.
 */
import { systemDiagnosticsRoutes } from '@atrium/contract/system-diagnostics'
import type { DiagnosticCheck } from '../../platform/diagnostics/checks.ts'
import { bindRoutes } from '../../platform/http/area.ts'
import { type BundleDeps, createBundle } from './bundle/bundle.ts'
import type { History } from './history.ts'
import { type InstanceDeps, createInstanceReport } from './instance.ts'
import { type ReadinessCheck, createReadiness } from './readiness.ts'
import { type ReportDeps, createReport } from './report.ts'

export type { ReadinessCheck } from './readiness.ts'

export interface SystemDiagnosticsDeps
  extends ReportDeps,
    Omit<InstanceDeps, 'database'>,
    Pick<BundleDeps, 'configuration' | 'recentLines'> {
  readonly database: InstanceDeps['database'] & BundleDeps['database']
  readonly checks: readonly ReadinessCheck[]
  /** What all areas can check. */
  readonly areaChecks: () => readonly DiagnosticCheck[]
  readonly history: Pick<History, 'read'>
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonicNow: () => number
}

export const createSystemDiagnostics = (deps: SystemDiagnosticsDeps) => {
  const readiness = createReadiness({ ...deps, phase: () => deps.processes.phase })
  const alive = async () => ({ status: 'alive' as const, version: deps.version })
  const report = createReport(deps)
  const instance = createInstanceReport(deps)
  const bundle = createBundle({ ...deps, report, instance, history: () => deps.history.read() })
  return bindRoutes({
    name: 'system-diagnostics',
    routes: systemDiagnosticsRoutes,
    handlers: {
      health: alive,
      live: alive,
      ready: async () => ({ status: 'ready' as const, checks: await readiness.isReady() }),
      deep: async () => ({ status: 'ready' as const, version: deps.version, checks: await readiness.checkDeeply() }),
      read: () => report(),
      instance: () => instance(),
      history: async () => deps.history.read(),
      bundle: () => bundle(),
    },
  })
}
