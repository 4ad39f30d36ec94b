/** The area of the doctor, as `compose()` creates it. */
import { doctorArea } from '@atrium/contract/doctor'
import { defineArea } from '../../platform/areas/define-area.ts'
import { type DoctorOptions, createDoctor } from './index.ts'
import { type AlertMailDeps, createAlertMail, createOutageMail } from './mail.ts'

export const doctor = defineArea(doctorArea)<AlertMailDeps, DoctorOptions>()({
  needs: ['accounts', 'mail', 'settings'],
  create: (platform, needs, _settings, options) =>
    createDoctor({
      ...platform,
      ...options,
      administratorIds: needs.accounts.administratorIds,
      sendMail: createAlertMail(needs),
      prepareOutageMail: createOutageMail(needs),
    }),
})
