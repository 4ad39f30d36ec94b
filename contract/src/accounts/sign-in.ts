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
    summary: 'Get what visitors can see before signing in',
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
      'Sign up; the first account becomes administrator. 202 if it waits for approval. An e-mail address in use is dropped without saying so',
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
    summary: 'Sign in with user name and password. Returns a challenge if a second factor is needed',
    body: z.strictObject({ username: z.string().min(1).max(254), password: Password }),
    returns: z.union([SignedIn, MfaRequired]),
    errors: ['wrong_credentials', 'account_pending', 'account_disabled', 'passkey_needed'],
  },
  logout: {
    method: 'post',
    path: '/api/auth/logout',
    access: 'user',
    summary: 'Sign out of this session',
    /** Where to go to end the session at the provider as well, which began this one. */
    returns: z.strictObject({ redirect: z.string().optional() }),
  },
})
