/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const mailDescription = describeArea({
  name: 'mail',
  tag: 'email',
  jobs: ['mail.send'],
  jobFailures: ['mail_failed'],
  scopes: ['read', 'write'],
})
