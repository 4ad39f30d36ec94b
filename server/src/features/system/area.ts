/** The area of the system, as `compose()` creates it. */
import { systemArea } from '@atrium/contract/system'
import { defineArea } from '../../platform/areas/define-area.ts'
import { type SystemDeps, createSystem } from './index.ts'

export const system = defineArea(systemArea)<object, Pick<SystemDeps, 'checks' | 'openApi'>>()({
  needs: [],
  create: (platform, _needs, settings) => ({
    ...createSystem({ ...platform, ...settings, now: () => performance.now() }),
    api: undefined,
  }),
})
