import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/groups'

/** Groups, below the accounts. */
export const settings: FeatureSettings = {
  parts: [
    {
      section: 'people',
      order: 10,
      part: lazy(() => import('./groups.tsx').then((module) => ({ default: module.Groups }))),
      entries: settingsEntries('groups', ['groups']),
    },
  ],
}
