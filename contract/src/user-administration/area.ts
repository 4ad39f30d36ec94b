/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const userAdministrationDescription = describeArea({
  name: 'user-administration',
  tag: 'user-administration',
  errors: {
    invitation_not_found: [404, 'There is no such open invitation.'],
    invitation_limit: [409, 'There can be 500 open invitations at most. Take one back first.'],
    not_pending: [409, 'This account does not wait for approval any more.'],
    directory_password: [409, 'This account signs in with the password of a directory. Change it there.'],
  },
  events: {
    /** For administrators: accounts, and `waiting` where a new one wants to be let in. */
    'people-changed': z.strictObject({ waiting: z.boolean() }),
  },
  audit: [
    'user.create',
    'user.invite',
    'user.approve',
    'user.reject',
    'user.disable',
    'user.enable',
    'user.role',
    'user.update',
    'user.mfa-reset',
    'user.password-link',
  ],
  scopes: ['read', 'write'],
})
