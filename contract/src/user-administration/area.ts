/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const userAdministrationDescription = describeArea({
  name: 'user-administration',
  tag: 'user-administration',
  errors: {
    invitation_not_found: [404, 'Open invitation not found.'],
    invitation_limit: [409, 'You can have at most 500 open invitations. Revoke one first.'],
    not_pending: [409, 'This account is no longer waiting for approval.'],
    directory_password: [409, 'This account signs in with its directory password. Change it there.'],
  },
  events: {
    /** For administrators: accounts, and `waiting` where a new one wants to be let in. */
    'people-changed': z.strictObject({ waiting: z.boolean() }),
  },
  audit: [
    'user.create',
    'user.list-export',
    'user.invite',
    'user.approve',
    'user.reject',
    'user.disable',
    'user.enable',
    'user.role',
    'user.update',
    'user.mfa-reset',
    'user.password-link',
    'user.preview',
  ],
  scopes: ['read', 'write'],
})
