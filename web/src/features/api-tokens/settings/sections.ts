import { KeyRound } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/api-tokens'

/** API tokens, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'tokens',
      name: 'api-tokens:section',
      icon: KeyRound,
      group: 'you',
      order: 65,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.ApiTokens }))),
      entries: settingsEntries('api-tokens', ['list', 'create']),
    },
  ],
}
