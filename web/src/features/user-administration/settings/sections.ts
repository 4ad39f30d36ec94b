import { UsersRound } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import { invitePeople } from './setup.ts'
import 'virtual:words/user-administration'

/** Accounts and invitations, as a page of the settings. */
export const settings: FeatureSettings = {
  setup: [invitePeople],
  sections: [
    {
      id: 'people',
      name: 'user-administration:section',
      icon: UsersRound,
      group: 'workspace',
      order: 70,
      adminOnly: true,
      wide: true,
      badge: lazy(() => import('./badge.tsx').then((module) => ({ default: module.WaitingBadge }))),
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.People }))),
      item: lazy(() => import('./person/page.tsx').then((module) => ({ default: module.PersonPage }))),
      entries: settingsEntries('user-administration', ['waiting', 'invitations', 'accounts']),
    },
  ],
}
