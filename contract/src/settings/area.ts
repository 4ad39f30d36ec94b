/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const settingsDescription = describeArea({
  name: 'settings',
  tag: 'settings-preferences',
  events: {
    'preferences-changed': z.strictObject({}),
  },
  scopes: ['read', 'write'],
})
