/** Coming in and going out with user name and password. */
import { z } from 'zod'
import { routes } from '../route.ts'
import { Theme } from '../settings/preferences.ts'
import { Email, MfaRequired, Password, Pending, SignedIn, Username } from './account.ts'

export const signIn = routes({
  systemInfo: {
    method: 'get',
    path: '/api/auth/system-info',
    access: 'public',
    summary: 'What a visitor may know before signing in',
    returns: z.strictObject({
      requiresAuth: z.literal(true),
      hasUsers: z.boolean(),
      signupEnabled: z.boolean(),
      version: z.string(),
      /** Whether anybody here signs in with a passkey. */
      passkeysInUse: z.boolean(),
      /** Whether this instance sends e-mail, so that a link for a forgotten password can come by it. */
      mailAvailable: z.boolean(),
      /** How it looks where nobody chose. */
      defaultTheme: Theme,
    }),
  },
  signup: {
    method: 'post',
    path: '/api/auth/signup',
    access: 'public',
    limit: 'sign-up',
    summary:
      'Make an account; the first one becomes administrator. 202 when it waits for approval. An address that is in use is not kept, and the answer does not tell',
    body: z.strictObject({ username: Username, password: Password, email: Email.optional() }),
    returns: z.union([SignedIn, Pending, MfaRequired]),
    errors: [
      'signup_closed',
      'place_unknown',
      'username_taken',
      'username_scripts',
      'conflict',
      'weak_password',
      'common_password',
    ],
  },
  login: {
    method: 'post',
    path: '/api/auth/login',
    access: 'public',
    limit: 'sign-in',
    summary: 'Sign in with user name and password; a challenge where a second factor is needed',
    body: z.strictObject({ username: z.string().min(1).max(254), password: Password }),
    returns: z.union([SignedIn, MfaRequired]),
    errors: ['wrong_credentials', 'account_pending', 'account_disabled', 'passkey_needed'],
  },
  logout: {
    method: 'post',
    path: '/api/auth/logout',
    access: 'user',
    summary: 'End this session',
    /** Where to go to end the session at the provider as well, which began this one. */
    returns: z.strictObject({ redirect: z.string().optional() }),
  },
})
