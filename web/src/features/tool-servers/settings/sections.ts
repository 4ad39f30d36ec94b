import { Plug } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/tool-servers'

/** Tool servers, as administrators register them, and one's own way into each. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'tool-servers',
      name: 'tool-servers:section',
      icon: Plug,
      group: 'models',
      order: 56,
      adminOnly: true,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.ToolServers }))),
      item: lazy(() => import('./item.tsx').then((module) => ({ default: module.ToolServerPage }))),
      entries: settingsEntries('tool-servers', ['servers', 'personalAllowed'], { adminOnly: true }),
    },
  ],
  parts: [
    {
      section: 'tools',
      order: 10,
      item: lazy(() => import('./item.tsx').then((module) => ({ default: module.ToolServerPage }))),
      part: lazy(() => import('./own.tsx').then((module) => ({ default: module.OwnServers }))),
      entries: settingsEntries('tool-servers', ['own']),
    },
  ],
}
