/** Second factors: set up, asked for, taken once, removed. Sessions begin elsewhere, after what is shown here. */
import type { MfaState, Passkey, Proof, SessionKind, User } from '@atrium/contract/accounts'
import type { AuditAction } from '@atrium/contract/audit'
import { type Audit, actorOf } from '../../../platform/audit/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Caller, Context } from '../../../platform/http/area.ts'
import { fail, tooManyRefusal } from '../../../platform/http/refusal.ts'
import type { AuditActor } from '../audit-actor.ts'
import type { Lockout } from '../lockout/lockout.ts'
import { lockoutMs } from '../lockout/store.ts'
import type { AccountStore } from '../people/store.ts'
import { digestOf } from '../sessions/token-cache.ts'
import type { SecondFactorPolicy } from './policy.ts'
import { enrolmentFor, freshMs, newRecoveryCodes, newSecret, parseCode, requiredSecondStep, totpStep } from './rules.ts'
import type { SignInChallenge, StoredFactor, SecondFactorStore, SubmittedCode } from './store.ts'

type Visit = Context<Caller | null>

export type SecondFactor = ReturnType<typeof createSecondFactor>

export const createSecondFactor = (deps: {
  store: SecondFactorStore
  accounts: Pick<AccountStore, 'user' | 'credential'>
  policy: SecondFactorPolicy
  passkeys: (accountId: string) => Promise<Passkey[]>
  lockout: Pick<Lockout, 'checkOwnPassword'>
  clock: Clock
  audit: Audit
}) => {
  const { store, accounts, policy, passkeys, clock, audit } = deps
  const isRequired = async () => (await policy.read()).mode === 'required'

  const record = (context: Visit, action: AuditAction, accountId: string, reason?: string) =>
    audit.record({
      ...actorOf(context),
      action,
      target: { type: 'account', id: accountId },
      ...(reason ? { result: 'failure', details: { reason } } : {}),
    })

  /** What was typed, held against the secret of the factor. */
  const read = (factor: StoredFactor, typed: string): SubmittedCode => {
    const code = parseCode(typed)
    if (code === null) return { step: null, recovery: null }
    if ('recovery' in code) return { step: null, recovery: code.recovery }
    return { step: totpStep(factor.secret, code.totp, clock.now()), recovery: null }
  }

  /** Takes a code of an active factor, or refuses and writes that down. `token` of a challenge, or null. */
  const take = async (context: Visit, accountId: string, typed: string, token: string | null) => {
    const factor = await store.factor(accountId)
    const missing = token === null ? 'mfa_not_active' : 'challenge_over'
    if (!factor?.isActive) throw fail(missing)
    const taken = await store.take(accountId, read(factor, typed), {
      sealed: factor.sealed,
      digest: token && digestOf(token),
      now: clock.now(),
    })
    if (taken === 'totp' || taken === 'recovery') {
      // Other acts that cost a code are written down by their own names.
      if (token !== null) await record(context, 'auth.mfa.verify', accountId)
      return taken
    }
    await record(context, 'auth.mfa.verify', accountId, taken)
    if (taken === 'locked') throw tooManyRefusal('There were too many wrong codes. Try again in 15 minutes.', lockoutMs)
    throw fail(taken === 'wrong' ? 'wrong_code' : missing)
  }

  const begin = async (context: Visit, user: User) => {
    const secret = newSecret()
    await store.enroll(user.id, secret)
    await record(context, 'auth.mfa.enroll', user.id)
    return enrolmentFor(secret, user.username)
  }

  const activate = async (context: Visit, accountId: string, typed: string, token: string | null) => {
    const factor = await store.factor(accountId)
    if (!factor) throw fail('mfa_not_pending')
    if (factor.isActive) throw fail('mfa_active')
    const { step } = read(factor, typed)
    const done = await store.activate(accountId, {
      step,
      sealed: factor.sealed,
      digest: token && digestOf(token),
      now: clock.now(),
    })
    if (typeof done === 'object') {
      await record(context, 'auth.mfa.activate', accountId)
      return done
    }
    await record(context, 'auth.mfa.activate', accountId, done)
    throw fail(done === 'over' ? 'challenge_over' : 'wrong_code')
  }

  const isFresh = async (accountId: string, sessionId: string): Promise<boolean> => {
    const proved = await store.sessionProved(accountId, sessionId)
    return proved !== null && clock.now() - proved <= freshMs
  }

  /** Takes what somebody shows of the account: a code where one-time codes are on, else the password. Refuses wrong ones. */
  const show = async (
    context: Context<Caller>,
    { code, password }: Proof,
  ): Promise<'enough' | 'nothing' | 'no-code'> => {
    const { accountId, sessionId } = context.caller
    if ((await store.state(accountId)).isActive) {
      if (code === undefined) return 'no-code'
      await take(context, accountId, code, null)
      return 'enough'
    }
    if (password === undefined) return 'nothing'
    if (await deps.lockout.checkOwnPassword(sessionId, password, await accounts.credential(accountId))) return 'enough'
    await record(context, 'auth.mfa.verify', accountId, 'wrong_password')
    throw fail('wrong_password', 'The password is wrong.')
  }

  return {
    isRequired,
    /** Whether one-time codes are on; for who asks whether another factor is the last one. */
    hasCodes: async (accountId: string): Promise<boolean> => (await store.state(accountId)).isActive,

    async state(accountId: string): Promise<MfaState> {
      const [{ isActive, isPending }, recoveryCodesRemaining, { mode, locked }] = await Promise.all([
        store.state(accountId),
        store.codesLeft(accountId),
        policy.read(),
      ])
      return {
        totpEnabled: isActive,
        totpPending: isPending,
        recoveryCodesRemaining,
        required: mode === 'required',
        requiredModeLocked: locked,
        passkeys: await passkeys(accountId),
      }
    },

    /**
     * What a right first step still wants: null for nothing, else the challenge. Refuses with `passkey_needed` where a
     * factor is required and the account's only ones are passkeys.
     */
    async ask(user: User, kind: SessionKind, credential: Uint8Array | null, upstream: string | null) {
      const [{ isActive, wasReset }, mustHave, keys] = await Promise.all([
        store.state(user.id),
        isRequired(),
        passkeys(user.id),
      ])
      const wanted = requiredSecondStep({ kind, isActive, isRequired: mustHave, hasPasskey: keys.length > 0, wasReset })
      if (wanted === null) return null
      if (wanted === 'passkey') throw fail('passkey_needed')
      const challengeToken = await store.challenge(
        user.id,
        { purpose: wanted, kind, credential, upstream_index: upstream },
        clock.now(),
      )
      if (challengeToken === null) throw fail('wrong_credentials')
      return { mfaRequired: true as const, requirement: wanted, challengeToken }
    },

    /** Whose sign-in a challenge is. Refuses with `challenge_over`, and accounts that may not come in (any more). */
    async waiting(
      token: string,
      purpose: 'verify' | 'enroll',
    ): Promise<SignInChallenge & { user: User; credential: Uint8Array }> {
      const challenge = await store.waiting(token, purpose, clock.now())
      const user = challenge && (await accounts.user(challenge.account_id))
      if (!challenge || !user) throw fail('challenge_over')
      if (user.status !== 'active') throw fail(user.status === 'disabled' ? 'account_disabled' : 'account_pending')
      return { ...challenge, user }
    },

    begin,
    activate,
    take,

    async renew(context: Context<Caller>, code: string): Promise<{ recoveryCodes: string[] }> {
      const { accountId } = context.caller
      await take(context, accountId, code, null)
      const recoveryCodes = newRecoveryCodes()
      await store.replaceCodes(accountId, recoveryCodes)
      await record(context, 'auth.mfa.recovery-codes', accountId)
      return { recoveryCodes }
    },

    async disable(context: Context<Caller>, code: string | undefined): Promise<void> {
      const { accountId } = context.caller
      const { isActive, isPending } = await store.state(accountId)
      if (!isActive && !isPending) throw fail('mfa_not_active')
      if (isActive) {
        if (code === undefined)
          throw fail('validation_failed', undefined, [{ path: 'body.code', message: 'a code is needed' }])
        if ((await isRequired()) && (await passkeys(accountId)).length === 0) {
          await record(context, 'auth.mfa.disable', accountId, 'last_factor')
          throw fail('last_factor')
        }
        await take(context, accountId, code, null)
      }
      await store.remove(accountId, isActive)
      await record(context, 'auth.mfa.disable', accountId)
    },

    /**
     * Before an act that wants a proof of its own: a code where one-time codes are on; else the password, or a sign-in
     * of the last ten minutes, for those who come in by other roads and have none. Refuses with `proof_needed`,
     * `wrong_code`, `wrong_password`, `rate_limited`.
     */
    async requireProof(context: Context<Caller>, given: Proof): Promise<void> {
      const { accountId, sessionId } = context.caller
      const shown = await show(context, given)
      if (shown === 'nothing' && !(await isFresh(accountId, sessionId)))
        throw fail('proof_needed', 'Confirm it’s you with your password, or sign in again.')
      if (shown === 'no-code') throw fail('proof_needed', 'Confirm it’s you with a code from your second factor.')
    },

    /** Of every route with `proof`: that the session began or was proved in the last ten minutes. */
    async requireFresh({ accountId, sessionId }: Caller): Promise<void> {
      if (!(await isFresh(accountId, sessionId))) throw fail('fresh_proof_needed')
    },

    /** Makes the session of the caller fresh. `byPasskey`: one of the account was shown. Refuses as `requireProof` does. */
    async prove(context: Context<Caller>, given: Proof, byPasskey: boolean): Promise<void> {
      const { accountId, sessionId } = context.caller
      if (!byPasskey && (await show(context, given)) !== 'enough') throw fail('proof_needed')
      await store.proveSession(accountId, sessionId, clock.now())
      await record(context, 'auth.proof', accountId)
    },

    /** A passkey was shown, so what an administrator made easier for somebody who had lost everything is over. */
    passkeyShown: store.endReset,

    /** Takes the codes away for somebody who lost them; passkeys stay. Sign-ins that wait end. */
    reset: (accountId: string, actor: AuditActor): Promise<void> =>
      store.reset(accountId, clock.now(), (trx) =>
        audit.recordIn(trx, { ...actor, action: 'user.mfa-reset', target: { type: 'account', id: accountId } }),
      ),
  }
}
