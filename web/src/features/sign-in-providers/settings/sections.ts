import { LogIn } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/sign-in-providers'

/** Ways to sign in, as a page of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'sign-in',
      name: 'sign-in-providers:section',
      icon: LogIn,
      group: 'workspace',
      order: 72,
      adminOnly: true,
      item: lazy(() => import('./item.tsx').then((module) => ({ default: module.SignInItem }))),
      entries: [],
    },
  ],
  parts: [
    {
      section: 'sign-in',
      order: 20,
      part: lazy(() => import('./providers.tsx').then((module) => ({ default: module.Providers }))),
      entries: settingsEntries('sign-in-providers', ['providers']),
    },
    {
      section: 'sign-in',
      order: 30,
      part: lazy(() => import('../ldap/ldap.tsx').then((module) => ({ default: module.Ldap }))),
      entries: settingsEntries('sign-in-providers', ['ldap']),
    },
  ],
}
