import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/local-runtime'

/** The local runtime, below the connections. */
export const settings: FeatureSettings = {
  parts: [
    {
      section: 'connections',
      order: 10,
      part: lazy(() => import('./section.tsx').then((module) => ({ default: module.LocalRuntimeSection }))),
      entries: settingsEntries('local-runtime', ['runtime'], { adminOnly: true }),
    },
  ],
}
