/** What the workspace is called and looks like, and what is told to everybody. */
import type { Feature } from '../../lib/feature.ts'

export const brandingFeature: Feature = {
  name: 'branding',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}
