/**
 * The two ceremonies of WebAuthn level 3 (registration, section 7.1; authentication, section 7.2), as the library checks
 * them: discoverable credentials, the person verified by the device, no attestation.
 */
import { randomBytes } from 'node:crypto'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers'
import { digestOf } from '../sessions/token-cache.ts'
import type { RelyingParty } from './rules.ts'
import { promptMs } from './rules.ts'
import type { PasskeyCredential, PasskeyStore } from './store.ts'
import type { PasskeyChallengeRow } from './tables.ts'

/** COSE: ES256, EdDSA, and RS256 for Windows Hello. */
const algorithms = [-7, -8, -257]
const transportsKept = 8

interface Begun {
  readonly challengeToken: string
  readonly publicKey: Record<string, unknown>
}

export type PasskeyCeremonies = ReturnType<typeof createCeremonies>

export const createCeremonies = ({ store }: { store: PasskeyStore }) => {
  /** A challenge for the device, and a token that stands for it. Only digests of both are kept. */
  const challenge = async (purpose: PasskeyChallengeRow['purpose'], accountId: string | null) => {
    const challengeToken = randomBytes(32).toString('base64url')
    const bytes = new Uint8Array(randomBytes(32))
    await store.keepChallenge({
      token_digest: digestOf(challengeToken),
      challenge_digest: digestOf(isoBase64URL.fromBuffer(bytes)),
      purpose,
      account_id: accountId,
    })
    return { challengeToken, bytes }
  }

  /** Takes the challenge away and gives what checks it; null for one that is not there, or for something else. */
  const burn = async (challengeToken: string, purpose: PasskeyChallengeRow['purpose'], accountId: string | null) => {
    const row = await store.burnChallenge(digestOf(challengeToken))
    if (!row || row.purpose !== purpose || row.account_id !== accountId) return null
    return (given: string) => digestOf(given) === row.challenge_digest
  }

  return {
    async beginRegistration(party: RelyingParty, user: { id: string; username: string; displayName: string | null }) {
      const { challengeToken, bytes } = await challenge('register', user.id)
      const publicKey = await generateRegistrationOptions({
        rpName: 'Atrium',
        rpID: party.id,
        userName: user.username,
        userID: handleOf(user.id),
        challenge: bytes,
        timeout: promptMs,
        attestationType: 'none',
        supportedAlgorithmIDs: algorithms,
        userDisplayName: user.displayName ?? user.username,
        excludeCredentials: (await store.credentials(user.id)).map(({ id, transports }) => ({ id, transports })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      return { challengeToken, publicKey: { ...publicKey } } satisfies Begun
    },

    /** The credential that the device made; null for anything that is not right. */
    async finishRegistration(
      party: RelyingParty,
      accountId: string,
      { challengeToken, credential }: { challengeToken: string; credential: unknown },
    ): Promise<{ credential: PasskeyCredential; signCount: number } | null> {
      const isExpected = await burn(challengeToken, 'register', accountId)
      const response = credential as RegistrationResponseJSON
      if (!isExpected || !isOwnPage(response) || !isUnattested(response)) return null
      const result = await verifyRegistrationResponse({
        response,
        expectedChallenge: isExpected,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      }).catch(refused)
      if (!result?.verified) return null
      const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential
      const kept = {
        id,
        publicKey: isoBase64URL.fromBuffer(publicKey),
        transports: transports.slice(0, transportsKept),
      }
      return { credential: kept, signCount: counter }
    },

    async beginLogin(party: RelyingParty) {
      const { challengeToken, bytes } = await challenge('login', null)
      const publicKey = await generateAuthenticationOptions({
        rpID: party.id,
        challenge: bytes,
        timeout: promptMs,
        userVerification: 'required',
      })
      return { challengeToken, publicKey: { ...publicKey } } satisfies Begun
    },

    /** Burns the challenge of a sign-in; the result checks what the device signed, and gives where its counter stands. */
    async finishLogin(party: RelyingParty, challengeToken: string) {
      const isExpected = await burn(challengeToken, 'login', null)
      return async (given: unknown, accountId: string, kept: PasskeyCredential): Promise<number | null> => {
        const response = given as AuthenticationResponseJSON
        const { userHandle } = response.response
        if (!isExpected || response.id !== response.rawId || !isOwnPage(response)) return null
        if (userHandle && userHandle !== isoBase64URL.fromBuffer(handleOf(accountId))) return null
        const credential = {
          id: kept.id,
          publicKey: isoBase64URL.toBuffer(kept.publicKey),
          transports: kept.transports,
          // Compared where it is stored, in one statement.
          counter: 0,
        }
        const result = await verifyAuthenticationResponse({
          response,
          credential,
          expectedChallenge: isExpected,
          expectedOrigin: party.origin,
          expectedRPID: party.id,
          requireUserVerification: true,
        }).catch(refused)
        return result?.verified ? result.authenticationInfo.newCounter : null
      }
    },
  }
}

/** What the library throws says what is wrong with what a stranger sent; it is the same to them, whatever it was. */
const refused = (): null => null

/** The handle of an account on devices: it says nothing about the person. */
const handleOf = (accountId: string) => new Uint8Array(Buffer.from(accountId, 'utf8'))

/**
 * Whether the person was on a page of ours and not on one that another site shows in a frame: those say `crossOrigin`,
 * or name the outer page (WebAuthn level 3, section 5.8.1). Nobody has Atrium in a frame.
 */
const isOwnPage = ({ response }: { readonly response: { readonly clientDataJSON: string } }): boolean => {
  try {
    const { crossOrigin = false, topOrigin } = decodeClientDataJSON(response.clientDataJSON) as {
      crossOrigin?: unknown
      topOrigin?: unknown
    }
    return crossOrigin === false && topOrigin === undefined
  } catch {
    // Not what a browser sends.
    return false
  }
}

/**
 * Whether no certificates come with it: none was asked for, and checking one would call addresses that it names.
 * Devices may attest by the new key itself. Nothing may stand behind it: what is read has one canonical form (CTAP 2.1,
 * section 8), so that form has as many bytes as were sent.
 */
const isUnattested = ({ response }: RegistrationResponseJSON): boolean => {
  try {
    const bytes = isoBase64URL.toBuffer(response.attestationObject)
    const attestation = decodeAttestationObject(bytes)
    if (isoCBOR.encode(attestation as never).length !== bytes.length) return false
    const format = attestation.get('fmt')
    return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  } catch {
    // Not what a device sends.
    return false
  }
}
