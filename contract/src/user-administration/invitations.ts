/** Links that administrators hand out: invitations, and new passwords where no mail can be sent. */
import { z } from 'zod'
import { Email } from '../accounts/account.ts'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { routes } from '../route.ts'

/** An invitation that nobody has taken yet. */
export const Invitation = z.strictObject({
  id: Id,
  email: z.string().nullable(),
  role: z.enum(['admin', 'user']),
  groups: z.array(z.strictObject({ id: Id, name: z.string() })),
  /** Who made it; an invitation stands only while that is an active administrator. */
  createdBy: z.strictObject({ id: Id, name: z.string() }),
  createdAt: Time,
  expiresAt: Time,
})
export type Invitation = z.infer<typeof Invitation>

/** The link itself: absolute where the instance knows its own address, else from the first slash on. */
const Link = z.string()

export const invitationRoutes = routes({
  invitations: {
    method: 'get',
    path: '/api/users/invitations',
    access: 'admin',
    summary: 'List open invitations, newest first',
    query: PageQuery,
    returns: page(Invitation),
    errors: ['bad_cursor'],
  },
  invite: {
    method: 'post',
    path: '/api/users/invitations',
    access: 'admin',
    proof: true,
    forPeople: true,
    limit: 'account',
    noStore: true,
    summary: 'Create an invitation. Its link is returned only this once; if it is mailed, it is in the e-mail only',
    body: z.strictObject({
      email: Email.nullable().optional(),
      role: z.enum(['admin', 'user']).default('user'),
      groupIds: z.array(Id).max(100).default([]),
      expiresInDays: z.number().int().min(1).max(30).default(7),
      /** Mail the link to the address; needs one, and a mail server. */
      send: z.boolean().default(false),
    }),
    returns: z.strictObject({ invitation: Invitation, link: Link.nullable(), sent: z.boolean() }),
    errors: ['email_taken', 'group_not_found', 'mail_not_configured', 'invitation_limit'],
  },
  revokeInvitation: {
    method: 'delete',
    path: '/api/users/invitations/{id}',
    access: 'admin',
    summary: 'Revoke an open invitation',
    params: z.strictObject({ id: Id }),
    names: 'instance',
    returns: Nothing,
    errors: ['invitation_not_found'],
  },
  passwordLink: {
    method: 'post',
    path: '/api/users/{id}/password-link',
    access: 'admin',
    proof: true,
    forPeople: true,
    limit: 'account',
    noStore: true,
    summary: 'Create a link to set a new password for an account. It is returned only this once',
    params: z.strictObject({ id: Id }),
    names: 'instance',
    returns: z.strictObject({ link: Link, expiresAt: Time }),
    errors: ['user_not_found', 'own_account', 'directory_password'],
  },
})
