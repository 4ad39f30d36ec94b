/** Decisions about codes. Pure, but for the chance in new secrets and codes. */
import { randomInt } from 'node:crypto'
import type { SessionKind } from '@atrium/contract/accounts'
import { loadPackage } from '../../../platform/load-package.ts'

/** So many wrong codes end a sign-in that waits for its second step. */
export const wrongPerChallenge = 10
export const challengeMs = 5 * 60_000
/** A sign-in or a proof this short ago shows that the owner is acting. */
export const freshMs = 10 * 60_000
const recoveryCodeCount = 10

/** What was typed: six digits, the letters of a recovery code in their plain form, or neither. */
export type TypedCode = { readonly totp: string } | { readonly recovery: string } | null

export const parseCode = (typed: string): TypedCode => {
  const plain = typed
    .normalize('NFKC')
    .replace(/[\s-]+/gu, '')
    .toUpperCase()
  if (/^\d{6}$/.test(plain)) return { totp: plain }
  return recoveryShape.test(plain) ? { recovery: plain } : null
}

/** A secret of 160 bits, as Base32 (RFC 4226, section 4). */
export const newSecret = (): string => loadPackage('otplib').generateSecret({ length: 20 })

/** What goes into the QR code: SHA-1, six digits, thirty seconds, as every authenticator app has it. */
export const enrolmentFor = (secret: string, username: string) => ({
  secret,
  otpauthUrl: loadPackage('otplib').generateURI({ issuer: 'Atrium', label: username, secret }),
})

/** The time step whose code this is, one step before or after now included (RFC 6238, section 5.2); null for none. */
export const totpStep = (secret: string, code: string, now: number): number | null => {
  const found = loadPackage('otplib').verifySync({
    secret,
    token: code,
    epoch: Math.floor(now / 1000),
    epochTolerance: 30,
  })
  return found.valid && 'timeStep' in found ? found.timeStep : null
}

/** Without the signs that look like others: I, L, O, 0, 1. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const recoveryShape = new RegExp(`^[${alphabet}]{10}$`)

/** Ten different codes of 49 bits each, written as `ABCDE-FGHJK`. */
export const newRecoveryCodes = (): string[] => {
  const codes = new Set<string>()
  while (codes.size < recoveryCodeCount) {
    const signs = Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('')
    codes.add(`${signs.slice(0, 5)}-${signs.slice(5)}`)
  }
  return [...codes]
}

/** The kind of a session after both steps: a password's grows, other roads keep theirs. */
export const sessionKindAfter = (kind: SessionKind, factor: 'totp' | 'recovery'): SessionKind =>
  kind === 'password' ? `password+${factor}` : kind

/** What a right first step still wants. A passkey is two factors in itself. */
export const requiredSecondStep = (of: {
  readonly kind: SessionKind
  readonly isActive: boolean
  readonly isRequired: boolean
  readonly hasPasskey: boolean
  /** An administrator took the factor away, so that another one can be set up. */
  readonly wasReset: boolean
}): 'verify' | 'enroll' | 'passkey' | null => {
  if (of.kind === 'passkey') return null
  if (of.isActive) return 'verify'
  if (!of.isRequired) return null
  // Whoever only knows the password must not be able to add a factor of their own beside the passkey.
  return of.hasPasskey && !of.wasReset ? 'passkey' : 'enroll'
}
