/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const connectionsDescription = describeArea({
  name: 'connections',
  tag: 'model-management',
  errors: {
    plugin_not_found: [404, 'Connection not found.'],
    plugin_exists: [409, 'A connection with this name already exists.'],
  },
  events: {
    'models-changed': z.strictObject({}),
    /** For administrators: who asked for a model, or null where a request was answered. */
    'model-requests-changed': z.strictObject({ name: z.string().nullable() }),
  },
  audit: [
    'connection.share',
    'provider.create',
    'provider.update',
    'provider.delete',
    'definition.install',
    'definition.update',
    'definition.delete',
  ],
  scopes: ['read', 'write'],
})
