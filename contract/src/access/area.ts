/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const accessDescription = describeArea({
  name: 'access',
  tag: 'access-control',
  errors: {
    resource_not_found: [404, 'There is no such thing to share.'],
    principal_not_found: [404, 'There is no such account or group.'],
    grant_not_found: [404, 'There is no such grant.'],
    break_glass_not_found: [404, 'There is no such support access.'],
    not_shareable: [409, 'This cannot be shared: it is temporary, or in the trash.'],
    grant_limit: [409, 'A thing can be shared with 200 accounts and groups at most.'],
    break_glass_open: [409, 'You have support access to this account already. End it first.'],
  },
  events: {
    /** What others share with the account is more, less, or called otherwise. */
    'shared-changed': z.strictObject({}),
    /** An administrator began or ended to look into what the account has, or the account's own look began or ended. */
    'support-access-changed': z.strictObject({}),
  },
  audit: ['grant.create', 'grant.delete', 'break-glass.create', 'break-glass.use', 'break-glass.end'],
  scopes: ['read', 'write'],
})
