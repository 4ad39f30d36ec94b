import { Archive, HardDrive } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/account-data'

/** What an account has, and how much room it takes, as pages of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'data',
      name: 'account-data:section',
      icon: Archive,
      group: 'you',
      order: 68,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.OwnData }))),
      entries: settingsEntries('account-data', ['export', 'delete']),
    },
    {
      id: 'storage',
      name: 'account-data:storageSection',
      icon: HardDrive,
      group: 'you',
      order: 67,
      page: lazy(() => import('./storage.tsx').then((module) => ({ default: module.OwnStorage }))),
      entries: settingsEntries('account-data', ['usage', 'largest', 'offline']),
    },
    {
      id: 'account-storage',
      name: 'account-data:accountsSection',
      icon: HardDrive,
      group: 'workspace',
      order: 79,
      adminOnly: true,
      page: lazy(() => import('./account-storage.tsx').then((module) => ({ default: module.AccountStorage }))),
      entries: settingsEntries('account-data', ['quota', 'accounts']),
    },
  ],
}
