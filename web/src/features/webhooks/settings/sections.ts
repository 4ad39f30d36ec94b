import { Webhook } from 'lucide-react'
import { lazy } from 'react'
import { type FeatureSettings, settingsEntries } from '../../../lib/settings.ts'
import 'virtual:words/webhooks'

/** Own webhooks, and those of the instance, as pages of the settings. */
export const settings: FeatureSettings = {
  sections: [
    {
      id: 'webhooks',
      name: 'webhooks:section',
      icon: Webhook,
      group: 'you',
      order: 48,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.OwnWebhooks }))),
      entries: settingsEntries('webhooks', ['list']),
    },
    {
      id: 'instance-webhooks',
      name: 'webhooks:instanceSection',
      icon: Webhook,
      group: 'workspace',
      order: 78,
      adminOnly: true,
      page: lazy(() => import('./page.tsx').then((module) => ({ default: module.InstanceWebhooks }))),
      entries: settingsEntries('webhooks', ['instanceList'], { adminOnly: true }),
    },
  ],
}
