import { Wrench } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/tools'

/** Who may have models use tools, and what of them runs at once, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'tool-access',
      name: 'tools:accessSection',
      icon: Wrench,
      group: 'models',
      order: 55,
      adminOnly: true,
      page: lazy(() => import('./access.tsx').then((module) => ({ default: module.ToolAccess }))),
      entries: settingsEntries('tools', ['mode', 'builtin'], { adminOnly: true }),
    },
  ],
}
