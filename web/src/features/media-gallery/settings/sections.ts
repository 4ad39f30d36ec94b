import { Images } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/media-gallery-settings'

/** What media is made with where nothing else is chosen, and what the gallery takes. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'media',
      name: 'media-gallery-settings:section',
      icon: Images,
      group: 'you',
      order: 36,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.MediaSettings }))),
      entries: settingsEntries('media-gallery-settings', ['image', 'video', 'speech', 'sound', 'galleryStorage']),
    },
  ],
}
