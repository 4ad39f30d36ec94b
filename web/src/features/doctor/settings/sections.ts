import { Stethoscope } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/doctor'

/** The doctor, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'doctor',
      name: 'doctor:section',
      icon: Stethoscope,
      group: 'server',
      order: 84,
      adminOnly: true,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.Doctor }))),
      entries: settingsEntries('doctor', ['server', 'way']),
    },
  ],
}
