import { LayoutDashboard } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/system-diagnostics'

/** How the instance is, as the first page of the settings that only administrators have. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'overview',
      name: 'system-diagnostics:section',
      icon: LayoutDashboard,
      group: 'workspace',
      order: 69,
      adminOnly: true,
      page: lazy(() => import('./overview.tsx').then((module) => ({ default: module.Overview }))),
      entries: settingsEntries('system-diagnostics', ['problems', 'state']),
    },
  ],
}
