import { ScrollText } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/audit'

/** The audit, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'audit',
      name: 'audit:section',
      icon: ScrollText,
      group: 'server',
      order: 85,
      adminOnly: true,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.Audit }))),
      entries: settingsEntries('audit', ['events', 'chain', 'retention']),
    },
  ],
}
