/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const agentCliDescription = describeArea({
  name: 'agent-cli',
  tag: 'agent-cli',
  scopes: ['read', 'write'],
})
