/** Passkeys: signing in by what a device keeps (WebAuthn level 3). Shapes of ceremonies are those of the standard, as JSON. */
import { z } from 'zod'
import { Id, Nothing, Time } from '../common.ts'
import { routes } from '../route.ts'
import { SignedIn } from './account.ts'
import { Proof } from './proof.ts'

export const Passkey = z.strictObject({
  id: Id,
  name: z.string().nullable(),
  createdAt: Time,
  lastUsedAt: Time.nullable(),
  /** It counted backwards once, so there may be a copy of it. It is not accepted any more. */
  suspect: z.boolean(),
})
export type Passkey = z.infer<typeof Passkey>

const passkeyName = z.string().trim().min(1).max(64)
/** Binary, as the standard writes it in JSON: base64url without padding. */
const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/)
const credential = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(40).nullish(),
  clientExtensionResults: z.record(z.string(), z.unknown()).optional(),
}

/** `PublicKeyCredential.toJSON()` after a registration. */
const Registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(8000),
    attestationObject: base64url(24_000),
    transports: z.array(z.string().max(40)).max(32).optional(),
  }),
})
/** `PublicKeyCredential.toJSON()` after a sign-in. */
const Assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(8000),
    authenticatorData: base64url(8000),
    signature: base64url(4000),
    userHandle: base64url(200).nullish(),
  }),
})

const challengeToken = z.string().regex(/^[A-Za-z0-9_-]{43}$/)
export const PasskeyShown = z.strictObject({ challengeToken, credential: Assertion })
/** `publicKey` goes to the browser as it is. */
const Ceremony = z.strictObject({
  /** Stands for this one try, for five minutes. */
  challengeToken: z.string(),
  publicKey: z.record(z.string(), z.unknown()),
})

export const passkeys = routes({
  passkeys: {
    method: 'get',
    path: '/api/auth/passkeys',
    access: 'user',
    summary: 'List your passkeys, newest first',
    returns: z.strictObject({ items: z.array(Passkey), nextCursor: z.null() }),
  },
  passkeyRegisterOptions: {
    method: 'post',
    path: '/api/auth/passkeys/register-options',
    access: 'user',
    limit: 'account',
    noStore: true,
    summary: 'Start adding a passkey',
    body: Proof.default({}),
    returns: Ceremony,
    errors: ['passkey_limit', 'passkey_unavailable', 'proof_needed', 'wrong_code', 'wrong_password'],
  },
  registerPasskey: {
    method: 'post',
    path: '/api/auth/passkeys/register',
    access: 'user',
    limit: 'account',
    summary: 'Add the passkey that the device created',
    body: z.strictObject({ challengeToken, name: passkeyName.optional(), credential: Registration }),
    returns: Passkey,
    errors: ['passkey_rejected', 'passkey_exists', 'passkey_limit', 'passkey_unavailable'],
  },
  renamePasskey: {
    method: 'patch',
    path: '/api/auth/passkeys/{id}',
    access: 'user',
    limit: 'account',
    summary: 'Rename a passkey',
    names: 'own',
    params: z.strictObject({ id: Id }),
    body: z.strictObject({ name: passkeyName }),
    returns: Passkey,
    errors: ['passkey_not_found'],
  },
  removePasskey: {
    method: 'delete',
    path: '/api/auth/passkeys/{id}',
    access: 'user',
    proof: true,
    limit: 'account',
    summary: 'Delete a passkey. Refused for your last factor where one is required, and for your last sign-in method',
    names: 'own',
    params: z.strictObject({ id: Id }),
    returns: Nothing,
    errors: ['passkey_not_found', 'last_factor', 'last_way_in'],
  },
  passkeyLoginOptions: {
    method: 'post',
    path: '/api/auth/passkeys/login-options',
    access: 'public',
    limit: 'passkey',
    noStore: true,
    summary: 'Start signing in with a passkey. No user name is asked for or revealed',
    returns: Ceremony,
    errors: ['passkey_unavailable'],
  },
  passkeyLogin: {
    method: 'post',
    path: '/api/auth/passkeys/login',
    access: 'public',
    limit: 'passkey',
    summary: 'Sign in with a passkey. It counts as two factors, so no second one is asked for',
    body: PasskeyShown,
    returns: SignedIn,
    errors: ['passkey_rejected', 'passkey_unavailable', 'account_pending', 'account_disabled'],
  },
})
