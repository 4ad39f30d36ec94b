/** The second factor: one-time codes by time (RFC 6238), recovery codes, the policy, and the steps of sign-in that ask for them. */
import { z } from 'zod'
import { Nothing } from '../common.ts'
import { routes } from '../route.ts'
import { SignedIn } from './account.ts'
import { Passkey } from './passkeys.ts'
import { Proof, SecondFactorCode } from './proof.ts'

export const MfaPolicy = z.strictObject({
  mode: z.enum(['optional', 'required']),
  /** Fixed by the environment. */
  locked: z.boolean(),
})
export type MfaPolicy = z.infer<typeof MfaPolicy>

export const MfaState = z.strictObject({
  totpEnabled: z.boolean(),
  /** Set up, but not confirmed by a code yet. */
  totpPending: z.boolean(),
  recoveryCodesRemaining: z.number().int(),
  required: z.boolean(),
  requiredModeLocked: z.boolean(),
  passkeys: z.array(Passkey),
})
export type MfaState = z.infer<typeof MfaState>

/** What an authenticator app needs, as text (Base32) and as an address that goes into a QR code. */
export const Enrolment = z.strictObject({ secret: z.string(), otpauthUrl: z.string() })
export type Enrolment = z.infer<typeof Enrolment>

/** Ten codes, each for one sign-in. This answer is the only one that holds them. */
export const RecoveryCodes = z.strictObject({ recoveryCodes: z.array(z.string()) })

const challengeToken = z.string().min(1).max(200)

export const secondFactor = routes({
  mfa: {
    method: 'get',
    path: '/api/auth/mfa',
    access: 'user',
    summary: 'Get your second factor, and whether one is required',
    returns: MfaState,
  },
  enrollMfa: {
    method: 'post',
    path: '/api/auth/mfa/enroll',
    access: 'user',
    limit: 'sign-in',
    noStore: true,
    summary: 'Start setting up one-time codes. Until you confirm them, calling this again gives a new secret',
    body: Proof,
    returns: Enrolment,
    errors: ['mfa_active', 'proof_needed', 'wrong_password'],
  },
  activateMfa: {
    method: 'post',
    path: '/api/auth/mfa/activate',
    access: 'user',
    limit: 'mfa',
    noStore: true,
    summary: 'Confirm one-time codes with a first code. Returns your recovery codes',
    body: z.strictObject({ code: SecondFactorCode }),
    returns: RecoveryCodes,
    errors: ['wrong_code', 'mfa_active', 'mfa_not_pending'],
  },
  renewRecoveryCodes: {
    method: 'post',
    path: '/api/auth/mfa/recovery-codes',
    access: 'user',
    limit: 'mfa',
    noStore: true,
    summary: 'Replace all of your recovery codes',
    body: z.strictObject({ code: SecondFactorCode }),
    returns: RecoveryCodes,
    errors: ['wrong_code', 'mfa_not_active'],
  },
  disableMfa: {
    method: 'post',
    path: '/api/auth/mfa/disable',
    access: 'user',
    limit: 'mfa',
    summary: 'Remove one-time codes and recovery codes. An unconfirmed setup needs no code',
    body: z.strictObject({ code: SecondFactorCode.optional() }),
    returns: Nothing,
    errors: ['wrong_code', 'mfa_not_active', 'last_factor'],
  },
  verifyMfa: {
    method: 'post',
    path: '/api/auth/mfa/verify',
    access: 'public',
    limit: 'mfa',
    noStore: true,
    summary: 'Complete the second step of a sign-in',
    body: z.strictObject({ challengeToken, code: SecondFactorCode }),
    returns: SignedIn,
    errors: ['wrong_code', 'challenge_over', 'account_pending', 'account_disabled'],
  },
  enrollByChallenge: {
    method: 'post',
    path: '/api/auth/mfa/enroll-challenge',
    access: 'public',
    limit: 'account',
    noStore: true,
    summary: 'Start setting up one-time codes during a sign-in that requires them',
    body: z.strictObject({ challengeToken }),
    returns: Enrolment,
    errors: ['challenge_over', 'mfa_active', 'account_pending', 'account_disabled'],
  },
  activateByChallenge: {
    method: 'post',
    path: '/api/auth/mfa/activate-challenge',
    access: 'public',
    limit: 'mfa',
    noStore: true,
    summary: 'Confirm one-time codes with a first code during sign-in. Returns the recovery codes and signs in',
    body: z.strictObject({ challengeToken, code: SecondFactorCode }),
    returns: SignedIn.extend(RecoveryCodes.shape),
    errors: ['wrong_code', 'challenge_over', 'mfa_active', 'mfa_not_pending', 'account_pending', 'account_disabled'],
  },
  mfaPolicy: {
    method: 'get',
    path: '/api/auth/mfa/policy',
    access: 'admin',
    summary: 'Get whether everyone needs a second factor',
    returns: MfaPolicy,
  },
  setMfaPolicy: {
    method: 'put',
    path: '/api/auth/mfa/policy',
    access: 'admin',
    proof: true,
    limit: 'account',
    summary: 'Set whether everyone needs a second factor, from their next sign-in',
    body: MfaPolicy.pick({ mode: true }),
    returns: MfaPolicy,
    errors: ['setting_locked'],
  },
})
