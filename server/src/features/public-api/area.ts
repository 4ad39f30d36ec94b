/** The area of the inference interface, as `compose()` creates it. */
import { publicApiArea } from '@atrium/contract/public-api'
import type { Features } from '../../core/access/index.ts'
import type { Connections } from '../../core/connections/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createPublicApi, publicApiMigrations, publicApiSealed } from './index.ts'

export const publicApi = defineArea(publicApiArea)<{ access: { features: Features }; connections: Connections }>()({
  needs: ['access', 'connections'],
  migrations: publicApiMigrations,
  sealed: publicApiSealed,
  create(platform, { access: { features }, connections }) {
    const api = createPublicApi({
      ...platform,
      features,
      listModels: connections.listModels,
      resolveModel: connections.resolve,
      capability: connections.capability,
      capabilityModels: connections.capabilityModels,
    })
    return { ...api.area, api, on: { 'models-changed': api.forget } }
  },
})
