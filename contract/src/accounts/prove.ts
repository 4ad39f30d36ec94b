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
      'Prove that it’s you: with a one-time code if you use them, otherwise your password, or a passkey. The proof stays fresh for ten minutes in this session',
    body: Proof.extend({
      /** What was signed for the challenge of `/api/auth/passkeys/login-options`. */
      passkey: PasskeyShown.optional(),
    }),
    returns: Nothing,
    errors: ['proof_needed', 'wrong_code', 'wrong_password', 'passkey_rejected', 'passkey_unavailable'],
  },
})
