/** The area of the local runtime, as `compose()` creates it. */
import { localRuntimeArea } from '@atrium/contract/local-runtime'
import type { Connections, InstanceVisibility } from '../../core/connections/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Slot } from '../../platform/slot.ts'
import type { LocalRuntime } from '../../providers/local-runtime.ts'
import { runtimeCheck } from './check.ts'
import { createLocalRuntimeArea, createModelSharing, localRuntimeMigrations, localRuntimeSealed } from './index.ts'
import { localRuntimeSettings } from './settings.ts'

interface Needs {
  readonly connections: Connections & {
    readonly runtime: LocalRuntime
    readonly visibility: Slot<() => Promise<InstanceVisibility>>
  }
  readonly settings: Settings
}

export const localRuntime = defineArea(localRuntimeArea)<Needs>()({
  needs: ['connections', 'settings'],
  migrations: localRuntimeMigrations,
  sealed: localRuntimeSealed,
  settings: localRuntimeSettings,
  create(platform, { connections, settings }, { DEFAULT_MODEL: fixedModel }) {
    const sharing = createModelSharing({ ...platform, fixedModel })
    connections.visibility.fill(sharing.visibility)
    const area = createLocalRuntimeArea({
      ...platform,
      sharing,
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
