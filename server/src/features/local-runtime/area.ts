/** The area of the local runtime, as `compose()` creates it. */
import { localRuntimeArea } from '@atrium/contract/local-runtime'
import type { Features } from '../../core/access/index.ts'
import type { Connections, InstanceVisibility } from '../../core/connections/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Slot } from '../../platform/slot.ts'
import type { LocalRuntime } from '../../providers/local-runtime.ts'
import { runtimeCheck } from './check.ts'
import {
  createLocalRuntimeArea,
  createModelSharing,
  declareDownloads,
  localRuntimeMigrations,
  localRuntimeSealed,
} from './index.ts'
import { localRuntimeSettings } from './settings.ts'

interface Needs {
  readonly access: { readonly features: Features }
  readonly connections: Connections & {
    readonly runtime: LocalRuntime
    readonly visibility: Slot<() => Promise<InstanceVisibility>>
  }
  readonly settings: Settings
}

export const localRuntime = defineArea(localRuntimeArea)<Needs>()({
  needs: ['access', 'connections', 'settings'],
  migrations: localRuntimeMigrations,
  sealed: localRuntimeSealed,
  settings: localRuntimeSettings,
  create(platform, { access: { features }, connections, settings }, { DEFAULT_MODEL: fixedModel }) {
    const sharing = createModelSharing({ ...platform, fixedModel })
    connections.visibility.fill(sharing.visibility)
    features.register(declareDownloads(sharing, settings.instance))
    const area = createLocalRuntimeArea({
      ...platform,
      sharing,
      features,
      maxContext: connections.maxContext,
      runtime: connections.runtime,
      local: connections.local,
      hiddenFromAccount: connections.hiddenFromAccount,
      changed: () => platform.announceAll({ type: 'models-changed', data: {} }),
      settings: settings.instance,
      saveSettings: settings.setLocalRuntime,
    })
    return {
      ...area,
      checks: [runtimeCheck(connections.runtime, settings.instance)],
      api: undefined,
      stop: sharing.close,
    }
  },
})
