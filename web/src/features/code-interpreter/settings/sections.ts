import { SquareTerminal } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/code-interpreter'

/** Who may run code, and what programs keep, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'code',
      name: 'code-interpreter:section',
      icon: SquareTerminal,
      group: 'models',
      order: 58,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.CodeSettings }))),
      entries: [
        ...settingsEntries('code-interpreter', ['codeMode'], { adminOnly: true }),
        ...settingsEntries('code-interpreter', ['keptFiles']),
      ],
    },
  ],
}
