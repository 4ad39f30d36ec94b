import { ListChecks } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/durable-jobs'

/** The jobs of everybody, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'jobs',
      name: 'durable-jobs:section',
      icon: ListChecks,
      group: 'server',
      order: 84,
      adminOnly: true,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.Jobs }))),
      entries: settingsEntries('durable-jobs', ['list']),
    },
  ],
}
