/** The area of diagnostics, as `compose()` creates it. */
import { systemDiagnosticsArea } from '@atrium/contract/system-diagnostics'
import { defineArea } from '../../platform/areas/define-area.ts'
import { type SystemDiagnosticsDeps, createSystemDiagnostics } from './index.ts'

export const systemDiagnostics = defineArea(systemDiagnosticsArea)<
  object,
  Pick<SystemDiagnosticsDeps, 'checks' | 'dataDir'>
>()({
  needs: [],
  create: (platform, _needs, _settings, options) => ({
    ...createSystemDiagnostics({ ...platform, ...options, monotonicNow: () => performance.now() }),
    api: undefined,
  }),
})
