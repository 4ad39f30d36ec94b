/** What was done that matters for safety: listed, exported, verified. */
import type { Feature } from '../../lib/feature.ts'

export const auditFeature: Feature = {
  name: 'audit',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}
