/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const doctorDescription = describeArea({
  name: 'doctor',
  tag: 'system-diagnostics',
  jobs: ['doctor.watch'],
  events: { 'alerts-changed': z.strictObject({}) },
})
