/** The area of the interface itself, as `compose()` creates it. */
import { systemArea } from '@atrium/contract/system'
import { defineArea } from '../../platform/areas/define-area.ts'
import { type SystemDeps, createSystem } from './index.ts'

export const system = defineArea(systemArea)<object, Pick<SystemDeps, 'openApi'>>()({
  needs: [],
  create: (platform, _needs, _settings, options) => ({
    ...createSystem({ ...platform, ...options }),
    api: undefined,
  }),
})
