/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const connectionsDescription = describeArea({
  name: 'connections',
  tag: 'model-management',
  errors: {
    plugin_not_found: [404, 'There is no such connection.'],
    plugin_exists: [409, 'There is a connection of this name already.'],
  },
  events: {
    'models-changed': z.strictObject({}),
  },
  audit: [
    'provider.create',
    'provider.update',
    'provider.delete',
    'definition.install',
    'definition.update',
    'definition.delete',
  ],
  scopes: ['read', 'write'],
})
