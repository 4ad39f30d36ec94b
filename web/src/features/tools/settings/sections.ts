import { Wrench } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/tools'

/** One's own rules, approvals and history; for administrators, who can let models use tools, and which run without asking. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'tools',
      name: 'tools:section',
      icon: Wrench,
      group: 'you',
      order: 46,
      entries: [],
    },
    {
      id: 'tool-access',
      name: 'tools:accessSection',
      icon: Wrench,
      group: 'models',
      order: 55,
      adminOnly: true,
      page: lazy(() => import('./access.tsx').then((module) => ({ default: module.ToolAccess }))),
      entries: settingsEntries('tools', ['mode', 'rounds', 'builtin'], { adminOnly: true }),
    },
  ],
  parts: [
    {
      section: 'tools',
      order: 15,
      part: lazy(() => import('./own-policy.tsx').then((module) => ({ default: module.OwnPolicy }))),
      entries: settingsEntries('tools', ['policy']),
    },
    {
      section: 'tools',
      order: 20,
      part: lazy(() => import('./standing.tsx').then((module) => ({ default: module.StandingApprovals }))),
      entries: settingsEntries('tools', ['standing']),
    },
    {
      section: 'tools',
      order: 30,
      part: lazy(() => import('./history.tsx').then((module) => ({ default: module.CallHistory }))),
      entries: settingsEntries('tools', ['history']),
    },
  ],
}
