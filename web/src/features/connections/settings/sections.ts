import { Boxes, Plug } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import { connectModel } from './setup.ts'
import 'virtual:words/connections'

/** Connections, and the models of all of them, as pages of the settings. */
export const settings: FeatureSettings = {
  setup: [connectModel],
  sections: [
    {
      id: 'connections',
      name: 'connections:section',
      icon: Plug,
      group: 'models',
      order: 50,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.Connections }))),
      item: lazy(() => import('./item.tsx').then((module) => ({ default: module.ConnectionPage }))),
      entries: [
        ...settingsEntries('connections', ['list', 'gallery']),
        ...settingsEntries('connections', ['add', 'import'], { adminOnly: true }),
      ],
    },
    {
      id: 'models',
      name: 'connections:modelsSection',
      icon: Boxes,
      group: 'models',
      order: 52,
      adminOnly: true,
      page: lazy(() => import('../models/page.tsx').then((module) => ({ default: module.Models }))),
      entries: settingsEntries('connections', ['models-list', 'default-model']),
    },
  ],
}
