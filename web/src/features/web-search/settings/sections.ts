import { Globe } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/web-search'

/** Web search, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'web-search',
      name: 'web-search:section',
      icon: Globe,
      group: 'models',
      order: 75,
      adminOnly: true,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.WebSearch }))),
      entries: settingsEntries('web-search', [
        'enabled',
        'engine',
        'address',
        'key',
        'secondEngine',
        'test',
        'access',
        'maxResults',
        'safeSearch',
        'readPages',
        'allowedDomains',
        'blockedDomains',
      ]),
    },
  ],
}
