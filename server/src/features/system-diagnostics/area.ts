/** The area of diagnostics, as `compose()` creates it. */
import { systemDiagnosticsArea } from '@atrium/contract/system-diagnostics'
import { defineArea } from '../../platform/areas/define-area.ts'
import { readOwner } from '../../platform/machine/host.ts'
import { listEndpoints, usualSockets } from './engine/endpoints.ts'
import { type SystemDiagnosticsDeps, createSystemDiagnostics } from './index.ts'
import { diagnosticsSettings } from './settings.ts'

export const systemDiagnostics = defineArea(systemDiagnosticsArea)<
  object,
  Pick<SystemDiagnosticsDeps, 'checks' | 'deepChecks' | 'dataDir' | 'processes'>
>()({
  needs: [],
  settings: diagnosticsSettings,
  create: (platform, _needs, variables, options) => ({
    ...createSystemDiagnostics({
      ...platform,
      ...options,
      monotonicNow: () => performance.now(),
      engineEndpoints: listEndpoints(variables, usualSockets(readOwner())),
    }),
    api: undefined,
  }),
})
