/** One-time links: invitations, forgotten passwords, and the proof that an address is one's own. */
import { z } from 'zod'
import { Nothing, Time } from '../common.ts'
import { routes } from '../route.ts'
import { MfaRequired, Password, SignedIn, User, Username } from './account.ts'

export const linkPurposes = ['invite', 'reset', 'verify-email'] as const
export type LinkPurpose = (typeof linkPurposes)[number]

/** The secret of a link. It travels in bodies only; in the address of a page it stands behind the `#`. */
const LinkToken = z.string().min(1).max(200)

export const oneTimeLinks = routes({
  checkLink: {
    method: 'post',
    path: '/api/auth/links/check',
    access: 'public',
    limit: 'links',
    noStore: true,
    summary: 'Check what a one-time link is for, without using it up',
    body: z.strictObject({ token: LinkToken }),
    returns: z.strictObject({
      purpose: z.enum(linkPurposes),
      expiresAt: Time,
      /** The address that was invited; null for other links, and for invitations without one. */
      email: z.string().nullable(),
      /** What whoever invites is called; null for other links. */
      invitedBy: z.string().nullable(),
    }),
    errors: ['link_invalid'],
  },
  acceptLink: {
    method: 'post',
    path: '/api/auth/links/accept',
    access: 'public',
    limit: 'links',
    noStore: true,
    summary: 'Accept an invitation: creates the account and signs it in',
    body: z.strictObject({ token: LinkToken, username: Username, password: Password }),
    returns: z.union([SignedIn, MfaRequired]),
    errors: ['link_invalid', 'username_taken', 'username_scripts', 'email_taken', 'weak_password', 'common_password'],
  },
  forgotPassword: {
    method: 'post',
    path: '/api/auth/password/forgot',
    access: 'public',
    limit: 'links',
    summary:
      'Request an e-mail with a link to set a new password. The response is the same whether or not the account exists',
    body: z.strictObject({ login: z.string().trim().min(1).max(254) }),
    returns: Nothing,
  },
  resetPassword: {
    method: 'post',
    path: '/api/auth/password/reset',
    access: 'public',
    limit: 'links',
    summary: 'Set a new password with a link. All sessions, API tokens and other links of the account are revoked',
    body: z.strictObject({ token: LinkToken, password: Password }),
    returns: Nothing,
    errors: ['link_invalid', 'weak_password', 'common_password'],
  },
  verifyEmail: {
    method: 'post',
    path: '/api/auth/email/verify',
    access: 'public',
    limit: 'links',
    summary: 'Confirm an e-mail address. A new address replaces the old one',
    body: z.strictObject({ token: LinkToken }),
    returns: Nothing,
    errors: ['link_invalid', 'email_taken'],
  },
  sendVerification: {
    method: 'post',
    path: '/api/auth/email/verification',
    access: 'user',
    limit: 'links',
    summary: 'Resend the link that confirms your e-mail address, or your new one',
    returns: Nothing,
    errors: ['nothing_to_verify', 'mail_not_configured'],
  },
  cancelEmailChange: {
    method: 'delete',
    path: '/api/auth/email/pending',
    access: 'user',
    summary: 'Cancel a pending change of your e-mail address',
    returns: User,
  },
})
