/** Generations, as `compose()` creates them. They have no routes. */
import { defineArea } from '../../platform/areas/define-area.ts'
import { createGenerations, generationMigrations } from './index.ts'
import { generationMetrics } from './metrics.ts'

export const generation = defineArea({ name: 'generation', tag: 'generation', routes: {} })()({
  needs: [],
  migrations: generationMigrations,
  metrics: () => generationMetrics,
  create(platform) {
    const api = createGenerations(platform)
    return { handlers: {}, api, start: () => api.recover(), leave: () => api.leave(), drain: () => api.stop() }
  },
})
