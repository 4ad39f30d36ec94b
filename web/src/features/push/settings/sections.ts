import { BellRing } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/push'

/** Push to browsers, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'push',
      name: 'push:section',
      icon: BellRing,
      group: 'you',
      order: 47,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.Push }))),
      entries: settingsEntries('push', ['browser', 'devices']),
    },
  ],
}
