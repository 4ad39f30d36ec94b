/** The area of the doctor, as `compose()` creates it. */
import { doctorArea } from '@atrium/contract/doctor'
import type { Notifications } from '../../core/notifications/index.ts'
import type { Webhooks } from '../../core/webhooks/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createAlertNotices } from './alert-notices.ts'
import { type DoctorOptions, createDoctor } from './index.ts'
import { type AlertMailDeps, createAlertMail, createOutageMail } from './mail.ts'

export const doctor = defineArea(doctorArea)<
  AlertMailDeps & {
    readonly notifications: Pick<Notifications, 'preferencesOf' | 'publisher'>
    readonly webhooks: Pick<Webhooks, 'sendToInstance'>
  },
  DoctorOptions
>()({
  needs: ['accounts', 'mail', 'notifications', 'settings', 'webhooks'],
  create: (platform, needs, _settings, options) =>
    createDoctor({
      ...platform,
      ...options,
      administratorIds: needs.accounts.administratorIds,
      notify: createAlertNotices({
        administratorIds: needs.accounts.administratorIds,
        database: platform.database,
        notifications: needs.notifications,
      }),
      sendMail: createAlertMail(needs),
      async callWebhooks(event, alerts) {
        for (const alert of alerts) {
          const source = [event, alert.id, alert.host, alert.since].join(' ')
          await needs.webhooks.sendToInstance(event, { source, data: { ...alert } })
        }
      },
      prepareOutageMail: createOutageMail(needs),
    }),
})
