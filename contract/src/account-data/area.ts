/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const accountDataDescription = describeArea({
  name: 'account-data',
  tag: 'account-data',
  errors: {
    export_not_found: [404, 'Export not found.'],
    export_running: [409, 'An export of this account is already being prepared.'],
    transfers_open: [409, 'Some of what this account shares is still being handed over. Wait, or delete it anyway.'],
  },
  events: {
    /** An export of the own account is ready, failed, or gone. */
    'exports-changed': z.strictObject({}),
  },
  audit: ['user.delete', 'user.export'],
  jobs: ['account-data.export', 'account-data.remove', 'account-data.upkeep'],
  scopes: ['read', 'write'],
})
