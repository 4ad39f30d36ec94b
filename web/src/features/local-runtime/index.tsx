/** The model server of this machine: how it stands, its models, and downloads. */
import type { Feature } from '../../lib/feature.ts'

export const localRuntimeFeature: Feature = {
  name: 'local-runtime',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}
