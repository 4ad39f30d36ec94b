/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const trashDescription = describeArea({
  name: 'trash',
  tag: 'trash',
  jobs: ['trash.purge'],
  scopes: ['read', 'write'],
})
