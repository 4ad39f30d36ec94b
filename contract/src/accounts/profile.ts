/** What people do to their own account. */
import { z } from 'zod'
import { Nothing } from '../common.ts'
import { routes } from '../route.ts'
import { Email, Password, User, Username } from './account.ts'
import { Proof, SecondFactorCode } from './proof.ts'

export const profile = routes({
  me: { method: 'get', path: '/api/auth/me', access: 'user', summary: 'Get the signed-in account', returns: User },
  verify: {
    method: 'get',
    path: '/api/auth/verify',
    access: 'user',
    summary: 'Check whether a token is still valid, and whose it is',
    returns: User,
  },
  updateMe: {
    method: 'put',
    path: '/api/auth/me',
    access: 'user',
    proof: 'sometimes',
    limit: 'account',
    summary: 'Update your profile. Changing your user name or e-mail address needs a fresh sign-in or a proof',
    body: z.strictObject({
      username: Username.optional(),
      displayName: z.string().trim().max(120).nullable().optional(),
      email: Email.nullable().optional(),
      /** For another address, where the sign-in was long ago or a second factor is on. */
      proof: Proof.optional(),
    }),
    returns: User,
    errors: ['username_taken', 'username_scripts', 'email_taken', 'proof_needed', 'wrong_password', 'wrong_code'],
  },
  changePassword: {
    method: 'post',
    path: '/api/auth/password',
    access: 'user',
    audit: 'auth.password.change',
    limit: 'sign-in',
    summary: 'Change your password. All other sessions are ended and, if requested, all API tokens revoked',
    /** An account that has none yet leaves `currentPassword` out: it shows a code, or has signed in just before. */
    body: z.strictObject({
      currentPassword: Password.optional(),
      code: SecondFactorCode.optional(),
      newPassword: Password,
      /** Whether programs lose their way in as well. */
      revokeTokens: z.boolean().default(false),
    }),
    returns: Nothing,
    errors: ['wrong_password', 'weak_password', 'common_password', 'proof_needed', 'wrong_code'],
  },
})
