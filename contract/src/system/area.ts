/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const systemDescription = describeArea({
  name: 'system',
  tag: 'system',
  events: {
    /** What came before was missed and is not kept any more: whatever is shown is read anew. */
    reset: z.strictObject({}),
  },
  scopes: ['read'],
})
