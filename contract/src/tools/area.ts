/** What the rest of the product derives from this area: its error codes, events, audit actions and scopes. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const toolsDescription = describeArea({
  name: 'tools',
  tag: 'chat-tools',
  errors: {
    tool_not_found: [404, 'Tool not found.'],
  },
  events: {
    /** Rules of who may use which tool. */
    'tools-changed': z.strictObject({}),
  },
  scopes: ['read', 'write'],
})
