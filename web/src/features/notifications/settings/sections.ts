import { Bell } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/notifications-settings'

/** How one wants to be notified, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'notifications',
      name: 'notifications-settings:title',
      icon: Bell,
      group: 'you',
      order: 46,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.NotificationSettings }))),
      entries: settingsEntries('notifications-settings', [
        'kinds',
        'keywords',
        'channels',
        'digest',
        'away',
        'words',
        'quiet',
      ]),
    },
  ],
}
