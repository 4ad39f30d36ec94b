import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/scim'

/** Provisioning, on the page about signing in. */
export const settings: FeatureSettings = {
  parts: [
    {
      section: 'sign-in',
      order: 40,
      part: lazy(() => import('./scim.tsx').then((module) => ({ default: module.Scim }))),
      entries: settingsEntries('scim', ['scim']),
    },
  ],
}
