/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'
import { Words } from '../notifications/words.ts'

export const accessDescription = describeArea({
  name: 'access',
  tag: 'access-control',
  errors: {
    resource_not_found: [404, 'Nothing to share found here.'],
    principal_not_found: [404, 'Account or group not found.'],
    grant_not_found: [404, 'Grant not found.'],
    break_glass_not_found: [404, 'Support access not found.'],
    not_shareable: [409, 'This can’t be shared because it is temporary or in the trash.'],
    grant_limit: [409, 'You can share an item with at most 200 accounts and groups.'],
    break_glass_open: [409, 'You already have support access to this account. End it first.'],
  },
  events: {
    /** What others share with the account is more, less, or called otherwise. */
    'shared-changed': z.strictObject({}),
    /** An administrator began or ended to look into what the account has, or the account's own look began or ended. */
    'support-access-changed': z.strictObject({}),
    /** Which features of the instance the account may use is, or may be, otherwise. */
    'features-changed': z.strictObject({}),
  },
  audit: [
    'grant.create',
    'grant.update',
    'grant.delete',
    'break-glass.create',
    'break-glass.use',
    'break-glass.end',
    'feature.update',
  ],
  jobs: ['access.tell-group'],
  scopes: ['read', 'write'],
  notifications: {
    /** Something of somebody else can be read from now on. */
    share: z.strictObject({ resourceType: z.string(), resourceId: z.string(), name: Words, by: Words }),
  },
})
