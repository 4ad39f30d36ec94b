/** Who may download models, while there is a runtime to keep them. */
import { Audience } from '@atrium/contract/common'
import { type Feature, modeRule } from '../../core/access/index.ts'
import type { LocalRuntimeDeps } from './index.ts'
import type { ModelSharing } from './model-sharing.ts'

export const pullFeature = 'model-downloads'

const saved = { source: 'saved', variable: null } as const

export const declareDownloads = (
  sharing: Pick<ModelSharing, 'pullAccess' | 'savePullAccess'>,
  settings: LocalRuntimeDeps['settings'],
): Feature => ({
  name: pullFeature,
  isAvailable: async () => (await settings()).localRuntime.value.enabled,
  async read() {
    const { mode, groupIds } = await sharing.pullAccess()
    return modeRule({ value: mode, ...saved }, { value: groupIds, ...saved }, Audience.options)
  },
  async save({ mode, groupIds }) {
    if (mode !== 'off') await sharing.savePullAccess({ mode, groupIds })
  },
})
