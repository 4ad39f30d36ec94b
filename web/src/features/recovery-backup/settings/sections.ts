import { DatabaseBackup } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import { setUpBackups } from './setup.ts'
import 'virtual:words/recovery-backup'

/** Backups, as a page of the settings. */
export const settings: FeatureSettings = {
  setup: [setUpBackups],
  sections: [
    {
      id: 'backups',
      name: 'recovery-backup:section',
      icon: DatabaseBackup,
      group: 'server',
      order: 83,
      adminOnly: true,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.Backups }))),
      entries: settingsEntries('recovery-backup', [
        'state',
        'destinations',
        'schedule',
        'retention',
        'list',
        'drills',
        'key',
      ]),
    },
  ],
}
