import { ChartColumn } from 'lucide-react'
import { lazy } from 'react'
import type { FeatureSettings } from '../../../lib/settings.ts'
import 'virtual:words/usage'

/** The own figures, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'usage',
      name: 'usage:mine.title',
      icon: ChartColumn,
      group: 'you',
      order: 66,
      wide: true,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.MyUsagePage }))),
      entries: ['figures', 'budgets', 'models', 'year'].map((id) => ({
        id,
        name: `usage:entry.${id}`,
        words: `usage:words.${id}`,
      })),
    },
  ],
}
