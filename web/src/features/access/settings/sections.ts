import { Grid3x3 } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/access-settings'

/** Who can use which features, below the people and groups it names. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'features',
      name: 'access-settings:section',
      icon: Grid3x3,
      group: 'workspace',
      order: 72,
      adminOnly: true,
      wide: true,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.FeaturesPage }))),
      entries: settingsEntries('access-settings', ['matrix']),
    },
  ],
}
