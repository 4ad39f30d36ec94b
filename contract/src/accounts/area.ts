/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const accountsDescription = describeArea({
  name: 'accounts',
  tag: 'authentication',
  errors: {
    passkey_rejected: [401, 'This passkey was not accepted.'],
    passkey_needed: [403, 'A second factor is required here, and this account has a passkey: sign in with that.'],
    signup_closed: [403, 'Sign-up is closed. Ask an administrator for an account.'],
    passkey_not_found: [404, 'There is no such passkey.'],
    nothing_to_verify: [409, 'There is no address that waits to be confirmed.'],
    passkey_limit: [409, 'There can be 10 passkeys at most. Remove one first.'],
    passkey_exists: [409, 'This device has a passkey here already.'],
    last_factor: [409, 'A second factor is required here, and this is the last one. Add another one first.'],
    key_revealed: [409, 'The key was shown before, and is shown only once.'],
    key_in_environment: [409, 'The key is given by ENCRYPTION_KEY in the environment, and is not shown here.'],
    mfa_active: [409, 'One-time codes are on already.'],
    mfa_not_pending: [409, 'Begin to set up one-time codes first.'],
    mfa_not_active: [409, 'One-time codes are not on.'],
    passkey_unavailable: [422, 'Passkeys need an address by name that begins with https.'],
    link_invalid: [422, 'This link was used, or its time is over. Ask for a new one.'],
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
    'session.revoke',
    'session.revoke-others',
  ],
  jobs: ['accounts.address-in-use', 'accounts.forgotten-password', 'accounts.guessed-password'],
})
