/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const auditDescription = describeArea({
  name: 'audit',
  tag: 'audit',
  audit: ['audit.export', 'audit.prune'],
  jobs: ['audit.prune'],
  scopes: ['read', 'write'],
})
