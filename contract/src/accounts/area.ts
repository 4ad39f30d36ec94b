/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'
import { OptionalWords } from '../notifications/words.ts'

export const accountsDescription = describeArea({
  name: 'accounts',
  tag: 'authentication',
  errors: {
    passkey_rejected: [401, 'This passkey wasn’t accepted.'],
    passkey_needed: [403, 'A second factor is required here, and this account has a passkey: sign in with that.'],
    signup_closed: [403, 'Sign-up is closed. Ask an administrator for an account.'],
    avatar_not_found: [404, 'Picture not found.'],
    passkey_not_found: [404, 'Passkey not found.'],
    nothing_to_verify: [409, 'You have no e-mail address to confirm.'],
    passkey_limit: [409, 'You can have at most 10 passkeys. Remove one first.'],
    passkey_exists: [409, 'This device already has a passkey here.'],
    last_factor: [409, 'A second factor is required, and this is your only one. Add another one first.'],
    key_revealed: [409, 'The key has already been shown, and is shown only once.'],
    key_in_environment: [409, 'The key is set by ENCRYPTION_KEY in the environment and isn’t shown here.'],
    mfa_active: [409, 'One-time codes are already on.'],
    mfa_not_pending: [409, 'Start setting up one-time codes first.'],
    mfa_not_active: [409, 'One-time codes are not on.'],
    passkey_unavailable: [422, 'Passkeys need https and a host name.'],
    link_invalid: [422, 'This link has been used or has expired. Ask for a new one.'],
  },
  events: {
    'session-started': z.strictObject({ id: z.string() }),
    /** Name, address or role of the own account. */
    'account-changed': z.strictObject({}),
    'session-ended': z.strictObject({}),
  },
  audit: [
    'auth.signup',
    'auth.login',
    'auth.logout',
    'auth.proof',
    'auth.mfa.enroll',
    'auth.mfa.activate',
    'auth.mfa.verify',
    'auth.mfa.disable',
    'auth.mfa.recovery-codes',
    'auth.passkey.register',
    'auth.passkey.rename',
    'auth.passkey.remove',
    'auth.password.change',
    'auth.password.reset',
    'auth.email.change',
    'auth.email.verify',
    'auth.encryption-key.reveal',
    'auth.encryption-key.replace',
    'auth.data-keys.replace',
    'session.revoke',
    'session.revoke-others',
  ],
  jobs: ['accounts.address-in-use', 'accounts.forgotten-password', 'accounts.guessed-password'],
  notifications: {
    /** Somebody may have got into the account, or can get in otherwise than before. */
    security: z.strictObject({
      event: z.enum([
        'new-sign-in',
        'password-changed',
        'password-and-tokens',
        'password-reset',
        'password-link',
        'password-guessed',
        'codes-reset',
        'email-changed',
        'address-in-use',
        'removal-set',
        'removal-off',
        'support-access',
      ]),
      /** The administrator who did it, where that is told. */
      by: OptionalWords,
      /** Why they did. */
      reason: OptionalWords,
      /** When it takes place, or ends (RFC 3339). */
      until: z.string().nullable(),
    }),
  },
})
