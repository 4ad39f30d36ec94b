import { Activity, ListChecks } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/durable-jobs'

/** What runs for oneself, and the jobs of everybody, as pages of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'activity',
      name: 'durable-jobs:activitySection',
      icon: Activity,
      group: 'you',
      order: 69,
      page: lazy(() => import('./activity.tsx').then((module) => ({ default: module.OwnActivity }))),
      entries: settingsEntries('durable-jobs', ['activity']),
    },
    {
      id: 'jobs',
      name: 'durable-jobs:section',
      icon: ListChecks,
      group: 'server',
      order: 84,
      adminOnly: true,
      wide: true,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.Jobs }))),
      item: lazy(() => import('./item.tsx').then((module) => ({ default: module.JobPage }))),
      entries: settingsEntries('durable-jobs', ['kinds', 'recurring', 'processes', 'list']),
    },
  ],
}
