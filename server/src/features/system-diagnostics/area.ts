/** The area of diagnostics, as `compose()` creates it. */
import { systemDiagnosticsArea } from '@atrium/contract/system-diagnostics'
import type { Connections } from '../../core/connections/index.ts'
import type { Documents } from '../../core/documents/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { DiagnosticCheck } from '../../platform/diagnostics/checks.ts'
import { readOwner } from '../../platform/machine/host.ts'
import { readServerCertificate } from '../../platform/outbound/certificate.ts'
import { readBubblewrap } from '../../platform/sandbox/bubblewrap.ts'
import { createSlot } from '../../platform/slot.ts'
import type { LocalRuntime } from '../../providers/local-runtime.ts'
import type { Configuration } from './bundle/bundle.ts'
import { listEndpoints, usualSockets } from './container-engine/endpoints.ts'
import { createHistory } from './history.ts'
import { type SystemDiagnosticsDeps, createSystemDiagnostics } from './index.ts'
import { diagnosticsSettings } from './settings.ts'
import { versionsCheck } from './versions-check.ts'

interface Needs {
  readonly chat: { countUnindexed(): Promise<{ readonly chats: number; readonly messages: number }> }
  readonly connections: Connections & { readonly runtime: LocalRuntime }
  readonly documents: Documents
  readonly settings: Settings
}

export const systemDiagnostics = defineArea(systemDiagnosticsArea)<
  Needs,
  Pick<SystemDiagnosticsDeps, 'checks' | 'dataDir' | 'processes' | 'recentLines'> & {
    readonly baseUrl: URL | undefined
  }
>()({
  needs: ['chat', 'connections', 'documents', 'settings'],
  settings: diagnosticsSettings,
  create(platform, { chat, connections, documents, settings }, variables, options) {
    const areaChecks = createSlot<readonly DiagnosticCheck[]>('the checks of the areas')
    const configuration = createSlot<() => Promise<Configuration>>('the configuration')
    const history = createHistory({ processes: options.processes, clock: platform.clock })
    return {
      ...createSystemDiagnostics({
        ...platform,
        ...options,
        areaChecks: areaChecks.get,
        configuration: () => configuration.get()(),
        monotonicNow: () => performance.now(),
        containerEngineEndpoints: listEndpoints(variables, usualSockets(readOwner())),
        history,
        async search() {
          const [talk, files] = await Promise.all([chat.countUnindexed(), documents.countUnfound()])
          return {
            ...talk,
            documents: files.waiting,
            failedDocuments: files.failed,
            documentsWithoutVectors: files.withoutVectors,
          }
        },
        certificate: async () => (options.baseUrl ? await readServerCertificate(options.baseUrl) : null),
        bubblewrap: readBubblewrap,
        async models() {
          const { enabled, baseUrl } = (await settings.instance()).localRuntime.value
          return enabled ? await connections.runtime.running(baseUrl) : null
        },
      }),
      checks: [versionsCheck(options.processes)],
      api: { areaChecks, configuration },
      async listening() {
        history.start()
        await readBubblewrap()
      },
      stop: history.stop,
    }
  },
})
