/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const doctorDescription = describeArea({
  name: 'doctor',
  tag: 'system-diagnostics',
})
