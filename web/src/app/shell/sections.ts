import { lazy } from 'react'
import type { FeatureSettings } from '../../lib/settings.ts'

/** What the shell adds to the settings: the order of the rail. */
export const settings: FeatureSettings = {
  parts: [
    {
      section: 'appearance',
      order: 10,
      part: lazy(() => import('./rail-settings.tsx').then((module) => ({ default: module.RailSettings }))),
      entries: [{ id: 'rail', name: 'app:rail.label', words: 'app:rail.words' }],
    },
  ],
}
