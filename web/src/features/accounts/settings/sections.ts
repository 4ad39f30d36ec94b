import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import { copyKey, addSecondFactor } from './setup.ts'
import 'virtual:words/accounts'

/** What the accounts add to pages of administrators. */
export const settings: FeatureSettings = {
  setup: [copyKey, addSecondFactor],
  parts: [
    {
      section: 'sign-in',
      order: 10,
      part: lazy(() => import('./sign-in-policy.tsx').then((module) => ({ default: module.SignInPolicy }))),
      entries: settingsEntries('accounts', ['secondFactor', 'sessionIdle', 'sessionLifetime']),
    },
    {
      section: 'instance',
      order: 20,
      part: lazy(() => import('../encryption-key/row.tsx').then((module) => ({ default: module.EncryptionKeyRow }))),
      entries: settingsEntries('accounts', ['encryptionKey']),
    },
  ],
}
