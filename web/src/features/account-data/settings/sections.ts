import { Archive } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/account-data'

/** What an account has, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'data',
      name: 'account-data:section',
      icon: Archive,
      group: 'you',
      order: 68,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.OwnData }))),
      entries: settingsEntries('account-data', ['export', 'delete']),
    },
  ],
}
