/** The area of the doctor, as `compose()` creates it. */
import { doctorArea } from '@atrium/contract/doctor'
import type { Webhooks } from '../../core/webhooks/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { type DoctorOptions, createDoctor } from './index.ts'
import { type AlertMailDeps, createAlertMail, createOutageMail } from './mail.ts'

export const doctor = defineArea(doctorArea)<
  AlertMailDeps & { readonly webhooks: Pick<Webhooks, 'tellInstance'> },
  DoctorOptions
>()({
  needs: ['accounts', 'mail', 'settings', 'webhooks'],
  create: (platform, needs, _settings, options) =>
    createDoctor({
      ...platform,
      ...options,
      administratorIds: needs.accounts.administratorIds,
      sendMail: createAlertMail(needs),
      async callWebhooks(event, alerts) {
        for (const alert of alerts) {
          const source = [event, alert.id, alert.host, alert.since].join(' ')
          await needs.webhooks.tellInstance(event, { source, data: { ...alert } })
        }
      },
      prepareOutageMail: createOutageMail(needs),
    }),
})
