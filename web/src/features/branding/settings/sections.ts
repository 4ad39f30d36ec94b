import { Megaphone } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/branding'

/** Name, logo and banners, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'branding',
      name: 'branding:section',
      icon: Megaphone,
      group: 'workspace',
      order: 79,
      adminOnly: true,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.BrandingPage }))),
      entries: settingsEntries('branding', ['name', 'logo', 'banners']),
    },
  ],
}
