import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/agent-cli'

/** Agents on the server, below the connections. */
export const settings: FeatureSettings = {
  parts: [
    {
      section: 'connections',
      order: 20,
      part: lazy(() => import('./section.tsx').then((module) => ({ default: module.AgentsSection }))),
      entries: settingsEntries('agent-cli', ['agents'], { adminOnly: true }),
    },
  ],
}
