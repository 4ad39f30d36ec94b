/** Generations, as `compose()` creates them. They have no routes. */
import { defineArea } from '../../platform/areas/define-area.ts'
import { createGenerations, generationMigrations } from './index.ts'

export const generation = defineArea({ name: 'generation', tag: 'generation', routes: {} })()({
  needs: [],
  migrations: generationMigrations,
  create(platform) {
    const api = createGenerations(platform)
    return { handlers: {}, api, start: () => api.recover(), leave: () => api.leave(), drain: () => api.stop() }
  },
})
