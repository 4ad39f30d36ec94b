/** The area of the doctor, as `compose()` creates it. */
import { doctorArea } from '@atrium/contract/doctor'
import { defineArea } from '../../platform/areas/define-area.ts'
import { type DoctorOptions, createDoctor } from './index.ts'

export const doctor = defineArea(doctorArea)<object, DoctorOptions>()({
  needs: [],
  create: (platform, _needs, _settings, options) => createDoctor({ ...platform, ...options }),
})
