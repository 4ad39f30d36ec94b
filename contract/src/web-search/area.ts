/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const webSearchDescription = describeArea({
  name: 'web-search',
  tag: 'web-search',
  scopes: ['read', 'write'],
})
