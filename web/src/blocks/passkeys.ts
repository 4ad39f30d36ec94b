/** Passkeys in this browser (WebAuthn level 3): whether there are any, making one, showing one. */
import { type Passkey, accountsRoutes } from '@atrium/contract/accounts'
import type { Answer, Call } from '@atrium/contract/route'
import { call } from '../api/client.ts'

/** Why nothing can be done with passkeys here; null when it can. */
export type PasskeyUnavailableReason = 'insecure' | 'unknown' | null

export function passkeyUnavailableReason(): PasskeyUnavailableReason {
  // Browsers know no passkeys for addresses of numbers, not even for the own machine's.
  if (!globalThis.isSecureContext || /^[\d.]+$|^\[/.test(location.hostname)) return 'insecure'
  return typeof PublicKeyCredential === 'undefined' ? 'unknown' : null
}

/** Thrown where the person or the device said no; there is nothing to put right. */
export class PasskeyError extends Error {
  override name = 'PasskeyRefused'
  /** The device has a passkey for this account already. */
  readonly known: boolean
  constructor(known: boolean) {
    super('The device gave no passkey.')
    this.known = known
  }
}

type Ceremony = Answer<typeof accountsRoutes.passkeyLoginOptions>
type SignedIn = Answer<typeof accountsRoutes.passkeyLogin>
type Given<R extends 'registerPasskey' | 'passkeyLogin'> = Call<(typeof accountsRoutes)[R]>['body']['credential']

const library = () => import('@simplewebauthn/browser')

/** Has the device make a passkey and hands it in. Throws `PasskeyRefused`, or the problem of the server. */
export async function makePasskey({ challengeToken, publicKey }: Ceremony, name: string): Promise<Passkey> {
  const { startRegistration } = await library()
  const credential = await startRegistration({ optionsJSON: publicKey as never }).catch(refuse)
  const body = { challengeToken, name: name || undefined, credential: credential as Given<'registerPasskey'> }
  return await call(accountsRoutes.registerPasskey, { body })
}

/** Signs in with a passkey that the person chooses. Throws `PasskeyRefused`, or the problem of the server. */
export const signInWithPasskey = (): Promise<SignedIn> => show(false)

/**
 * Offers passkeys among what the browser fills into the field of the user name, and waits until one is chosen.
 * null: this browser cannot, or something else took its place.
 */
export async function offerPasskeys(): Promise<SignedIn | null> {
  const { browserSupportsWebAuthnAutofill } = await library()
  if (!(await browserSupportsWebAuthnAutofill())) return null
  return await show(true).catch((error: unknown) => {
    if (error instanceof PasskeyError) return null
    throw error
  })
}

/** Takes the offer back. */
export const withdrawPasskeys = (): Promise<void> =>
  library().then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony())

/** Shows by a passkey that the session is still its owner's. Throws as `signInWithPasskey` does. */
export const proveByPasskey = async (): Promise<object> =>
  await call(accountsRoutes.prove, { body: { passkey: await shown(false) } })

const show = async (useBrowserAutofill: boolean): Promise<SignedIn> =>
  await call(accountsRoutes.passkeyLogin, { body: await shown(useBrowserAutofill) }, { asGuest: true })

/** What the device signs for a challenge of the server. */
async function shown(useBrowserAutofill: boolean) {
  const { startAuthentication } = await library()
  const { challengeToken, publicKey } = await call(accountsRoutes.passkeyLoginOptions, {}, { asGuest: true })
  const credential = await startAuthentication({ optionsJSON: publicKey as never, useBrowserAutofill }).catch(refuse)
  return { challengeToken, credential: credential as Given<'passkeyLogin'> }
}

/** Browsers do not tell why, so that pages cannot find out who has which passkey. */
function refuse(error: unknown): never {
  throw new PasskeyError(error instanceof Error && error.name === 'InvalidStateError')
}
