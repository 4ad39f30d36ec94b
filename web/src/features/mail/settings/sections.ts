import { Mail } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import { connectMail } from './setup.ts'
import 'virtual:words/mail'

/** The mail server, as a page of the settings. */
export const settings: FeatureSettings = {
  setup: [connectMail],
  sections: [
    {
      id: 'email',
      name: 'mail:section',
      icon: Mail,
      group: 'workspace',
      order: 77,
      adminOnly: true,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.Email }))),
      entries: settingsEntries('mail', [
        'enabled',
        'host',
        'security',
        'port',
        'account',
        'from',
        'rejectUnauthorized',
        'appUrl',
        'test',
      ]),
    },
  ],
}
