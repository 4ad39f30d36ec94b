/** What the server works at for everybody, for administrators: looked through, tried again, cancelled. */
import type { Feature } from '../../lib/feature.ts'

export const durableJobsFeature: Feature = {
  name: 'durable-jobs',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}
