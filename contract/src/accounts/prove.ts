/** Showing again that it is oneself, for what asks for a fresh proof (`proof` on a route). */
import { Nothing } from '../common.ts'
import { routes } from '../route.ts'
import { PasskeyShown } from './passkeys.ts'
import { Proof } from './proof.ts'

export const prove = routes({
  prove: {
    method: 'post',
    path: '/api/auth/proof',
    access: 'user',
    limit: 'sign-in',
    summary:
      'Show again that it is you: with a code where one-time codes are on, else the password, or a passkey. For ten minutes this session may then do what asks for a fresh proof',
    body: Proof.extend({
      /** What was signed for the challenge of `/api/auth/passkeys/login-options`. */
      passkey: PasskeyShown.optional(),
    }),
    returns: Nothing,
    errors: ['proof_needed', 'wrong_code', 'wrong_password', 'passkey_rejected', 'passkey_unavailable'],
  },
})
