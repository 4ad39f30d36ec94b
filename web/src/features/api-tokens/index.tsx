/** Tokens for programs: made, shown once, limited, revoked. */
import type { Feature } from '../../lib/feature.ts'

export const apiTokensFeature: Feature = {
  name: 'api-tokens',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}
