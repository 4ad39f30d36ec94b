/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'
import { OptionalWords, Words } from '../notifications/words.ts'

export const doctorDescription = describeArea({
  name: 'doctor',
  tag: 'system-diagnostics',
  jobs: ['doctor.watch'],
  notifications: {
    /** A check was not passed; for administrators. `host`: of the process that saw it, where it is of one. */
    alert: z.strictObject({
      check: z.string(),
      host: OptionalWords,
      status: z.enum(['warn', 'fail']),
      message: Words,
    }),
  },
  events: { 'alerts-changed': z.strictObject({}) },
})
