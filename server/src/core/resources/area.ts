/** The registry of kinds, as `compose()` creates it. It has no routes. */
import { defineArea } from '../../platform/areas/define-area.ts'
import { createResourceRegistry } from './index.ts'

export const resources = defineArea({ name: 'resources', tag: 'resources', routes: {} })()({
  needs: [],
  create() {
    const api = createResourceRegistry()
    return {
      handlers: {},
      api,
      async accountRemoved(accountId) {
        for (const resource of api.all.values()) await resource.removeAccount?.(accountId)
      },
    }
  },
})
