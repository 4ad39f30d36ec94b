/** Every SQL statement about second factors, recovery codes and waiting sign-ins. */
import { hash, randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { Lockout } from '../lockout/lockout.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import { digestOf } from '../sessions/token-cache.ts'
import type { AccountRow, AccountTables } from '../tables.ts'
import { challengeMs, newRecoveryCodes, parseCode, wrongPerChallenge } from './rules.ts'
import type { SecondFactorTables, SignInChallengeRow } from './tables.ts'

/** The factor of an account, opened. */
export interface StoredFactor {
  readonly secret: string
  /** As it is stored, to tell whether it was replaced meanwhile. */
  readonly sealed: Uint8Array
  readonly isActive: boolean
}

/** A sign-in that waits for its second step. */
export type SignInChallenge = Pick<SignInChallengeRow, 'account_id' | 'purpose' | 'kind' | 'upstream_index'>

/** What was shown: a time step of the secret, a recovery code, or nothing that fits. */
export interface SubmittedCode {
  readonly step: number | null
  readonly recovery: string | null
}
export type CodeOutcome = 'totp' | 'recovery' | 'wrong' | 'locked' | 'absent' | 'over'
export type ActivationOutcome = { readonly recoveryCodes: string[] } | 'wrong' | 'replaced' | 'over'

export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>
type Trx = Transaction<SecondFactorTables>

export const createSecondFactorStore = ({
  database,
  vault,
  lockout,
}: {
  database: Database
  vault: Vault
  lockout: Lockout
}) => {
  const tables = () => database.tables<SecondFactorTables & Pick<AccountTables, 'accounts' | 'auth_sessions'>>()
  const lockoutSubject = (accountId: string) => `code ${accountId}`
  const codeIndex = (accountId: string, code: string) => vault.blindIndex('recovery-code', `${accountId} ${code}`)

  const rowOf = (accountId: string) =>
    tables().selectFrom('second_factors').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  const lockedRow = (trx: Trx, accountId: string) =>
    trx.selectFrom('second_factors').selectAll().where('account_id', '=', accountId).executeTakeFirst()

  const accountOf = (accountId: string) =>
    tables().selectFrom('accounts').select(['credential', 'updated_at']).where('id', '=', accountId).executeTakeFirst()

  const replaceCodes = async (trx: Trx, accountId: string, codes: readonly string[]): Promise<void> => {
    await trx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
    const rows = codes.flatMap((code) => {
      const read = parseCode(code)
      return read && 'recovery' in read
        ? [{ account_id: accountId, code_index: codeIndex(accountId, read.recovery) }]
        : []
    })
    if (rows.length > 0) await trx.insertInto('recovery_codes').values(rows).execute()
  }

  /** Takes a code once, or counts it as wrong; after too many, right ones are refused as well. */
  const take = async (
    trx: Trx,
    accountId: string,
    shown: SubmittedCode,
    sealed: Uint8Array,
    now: number,
  ): Promise<CodeOutcome> => {
    const row = await lockedRow(trx, accountId)
    if (!row?.secret || row.activated_at === null) return 'absent'
    if (await lockout.isLocked(trx, lockoutSubject(accountId), now)) return 'locked'
    if (shown.step !== null && shown.step > row.last_step && Buffer.compare(row.secret, sealed) === 0) {
      await trx
        .updateTable('second_factors')
        .set({ last_step: shown.step })
        .where('account_id', '=', accountId)
        .execute()
      await lockout.forget(trx, lockoutSubject(accountId))
      return 'totp'
    }
    if (shown.recovery !== null) {
      const used = await trx
        .deleteFrom('recovery_codes')
        .where('account_id', '=', accountId)
        .where('code_index', '=', codeIndex(accountId, shown.recovery))
        .returning('code_index')
        .execute()
      if (used.length > 0) {
        await lockout.forget(trx, lockoutSubject(accountId))
        return 'recovery'
      }
    }
    await lockout.countFailure(trx, lockoutSubject(accountId), now)
    return 'wrong'
  }

  const challengeIn = (
    trx: Pick<Trx, 'selectFrom'>,
    digest: string,
    purpose: SignInChallenge['purpose'],
    now: number,
  ) =>
    trx
      .selectFrom('sign_in_challenges')
      .selectAll()
      .where('token_digest', '=', digest)
      .where('purpose', '=', purpose)
      .where('expires_at', '>', now)
      .executeTakeFirst()
  const burn = (trx: Trx, digest: string) =>
    trx.deleteFrom('sign_in_challenges').where('token_digest', '=', digest).execute()
  /** Wrong codes end a challenge after some. */
  const countFailure = async (trx: Trx, { token_digest, wrong_count }: SignInChallengeRow): Promise<void> => {
    if (wrong_count + 1 >= wrongPerChallenge) return void (await burn(trx, token_digest))
    await trx
      .updateTable('sign_in_challenges')
      .set({ wrong_count: wrong_count + 1 })
      .where('token_digest', '=', token_digest)
      .execute()
  }
  const forget = async (trx: Trx, accountId: string): Promise<void> => {
    await trx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
    await trx.deleteFrom('sign_in_challenges').where('account_id', '=', accountId).execute()
    await trx.deleteFrom('second_factors').where('account_id', '=', accountId).execute()
    await lockout.forget(trx, lockoutSubject(accountId))
  }

  return {
    /** The factor, active or waiting for its first code; null for none. */
    async factor(accountId: string): Promise<StoredFactor | null> {
      const row = await rowOf(accountId)
      if (!row?.secret) return null
      const secret = (await vault.keyring(accountId)).open('second_factors.secret', accountId, row.secret)
      return { secret, sealed: row.secret, isActive: row.activated_at !== null }
    },

    async state(accountId: string): Promise<{ isActive: boolean; isPending: boolean; wasReset: boolean }> {
      const row = await rowOf(accountId)
      const isActive = row !== undefined && row.activated_at !== null
      return { isActive, isPending: Boolean(row?.secret) && !isActive, wasReset: Boolean(row?.reset_at) }
    },

    /** Those of these accounts that have one-time codes. */
    async ownersAmong(accountIds: readonly string[]): Promise<Set<string>> {
      if (accountIds.length === 0) return new Set()
      const rows = await tables()
        .selectFrom('second_factors')
        .select('account_id')
        .where('account_id', 'in', accountIds)
        .where('activated_at', 'is not', null)
        .execute()
      return new Set(rows.map(({ account_id }) => account_id))
    },

    async codesLeft(accountId: string): Promise<number> {
      const row = await tables()
        .selectFrom('recovery_codes')
        .select((by) => by.fn.countAll<number | string>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return Number(row?.count ?? 0)
    },

    /** Stores a secret that waits for its first code, in place of an earlier such. Refuses with `mfa_active`. */
    async enroll(accountId: string, secret: string): Promise<void> {
      const sealed = (await vault.keyring(accountId)).seal('second_factors.secret', accountId, secret)
      await database.write<SecondFactorTables, void>(async (trx) => {
        const row = await lockedRow(trx, accountId)
        if (row && row.activated_at !== null) throw fail('mfa_active')
        const fresh = { secret: sealed, last_step: -1 }
        if (row)
          return void (await trx.updateTable('second_factors').set(fresh).where('account_id', '=', accountId).execute())
        await trx
          .insertInto('second_factors')
          .values({ account_id: accountId, ...fresh, activated_at: null, reset_at: null })
          .execute()
      })
    },

    /** The first code: `step` is null for a wrong one. A challenge, where one is given, is burned by success. */
    async activate(
      accountId: string,
      { step, sealed, digest, now }: { step: number | null; sealed: Uint8Array; digest: string | null; now: number },
    ): Promise<ActivationOutcome> {
      const recoveryCodes = newRecoveryCodes()
      return await database.write<SecondFactorTables, ActivationOutcome>(async (trx) => {
        const challenge = digest === null ? null : await challengeIn(trx, digest, 'enroll', now)
        if (challenge === undefined) return 'over'
        if (step === null) {
          if (challenge) await countFailure(trx, challenge)
          return 'wrong'
        }
        const row = await lockedRow(trx, accountId)
        if (!row?.secret || row.activated_at !== null || Buffer.compare(row.secret, sealed) !== 0) return 'replaced'
        await trx
          .updateTable('second_factors')
          .set({ activated_at: now, last_step: step, reset_at: null })
          .where('account_id', '=', accountId)
          .execute()
        await replaceCodes(trx, accountId, recoveryCodes)
        if (challenge) await burn(trx, challenge.token_digest)
        return { recoveryCodes }
      })
    },

    /** Takes a code of an active factor; for a challenge, which is burned by success and by too many wrong codes. */
    take: (
      accountId: string,
      shown: SubmittedCode,
      { sealed, digest, now }: { sealed: Uint8Array; digest: string | null; now: number },
    ): Promise<CodeOutcome> =>
      database.write<SecondFactorTables, CodeOutcome>(async (trx) => {
        const challenge = digest === null ? null : await challengeIn(trx, digest, 'verify', now)
        if (challenge === undefined) return 'over'
        const taken = await take(trx, accountId, shown, sealed, now)
        if (challenge && taken === 'wrong') await countFailure(trx, challenge)
        if (challenge && (taken === 'totp' || taken === 'recovery')) await burn(trx, challenge.token_digest)
        return taken
      }),

    replaceCodes: (accountId: string, codes: readonly string[]): Promise<void> =>
      database.write<SecondFactorTables, void>((trx) => replaceCodes(trx, accountId, codes)),

    /** Removes the factor with its codes and every sign-in that waits; does nothing when it is not as it was seen. */
    remove: (accountId: string, wasActive: boolean): Promise<void> =>
      database.write<SecondFactorTables, void>(async (trx) => {
        const row = await lockedRow(trx, accountId)
        if (!row || (row.activated_at !== null) !== wasActive) return
        if (row.reset_at === null) return await forget(trx, accountId)
        await trx.updateTable('second_factors').set({ secret: null }).where('account_id', '=', accountId).execute()
      }),

    /** The same by an administrator; `also` runs in the transaction. Another factor may then be set up at sign-in. */
    reset: (accountId: string, now: number, also: (trx: Trx) => Promise<void>): Promise<void> =>
      database.write<SecondFactorTables, void>(async (trx) => {
        await forget(trx, accountId)
        await trx
          .insertInto('second_factors')
          .values({
            account_id: accountId,
            secret: null,
            activated_at: null,
            reset_at: now,
            last_step: -1,
          })
          .execute()
        await also(trx)
      }, 'audit'),

    /** Ends the leave of a reset to set up another factor with a password alone. */
    async endReset(accountId: string): Promise<void> {
      await tables()
        .updateTable('second_factors')
        .set({ reset_at: null })
        .where('account_id', '=', accountId)
        .where('reset_at', 'is not', null)
        .execute()
    },

    /**
     * Begins the wait for a second step; gives the token, of which only a digest is kept. `credential`: the stored
     * password hash that was checked, if one was. null when it was changed meanwhile.
     */
    async challenge(
      accountId: string,
      {
        credential,
        ...wait
      }: Pick<SignInChallenge, 'purpose' | 'kind' | 'upstream_index'> & { credential: Uint8Array | null },
      now: number,
    ): Promise<string | null> {
      const token = randomBytes(32).toString('base64url')
      const row = { token_digest: digestOf(token), account_id: accountId, ...wait, wrong_count: 0 }
      const account = await accountOf(accountId)
      if (!account || (credential && Buffer.compare(account.credential, credential) !== 0)) return null
      await database.write<SecondFactorTables, void>(async (trx) => {
        await trx.deleteFrom('sign_in_challenges').where('expires_at', '<=', now).execute()
        await trx
          .insertInto('sign_in_challenges')
          .values({ ...row, account_digest: accountDigest(account), expires_at: now + challengeMs })
          .execute()
      })
      return token
    },

    /** The challenge of a token, with the account's present password hash; null when it is over or for another purpose. */
    async waiting(
      token: string,
      purpose: SignInChallenge['purpose'],
      now: number,
    ): Promise<(SignInChallenge & { credential: Uint8Array }) | null> {
      const challenge = await challengeIn(tables(), digestOf(token), purpose, now)
      const account = challenge && (await accountOf(challenge.account_id))
      // The password was changed since, or the account disabled: whoever waits begins anew.
      if (!challenge || !account || accountDigest(account) !== challenge.account_digest) return null
      return { ...challenge, credential: account.credential }
    },

    /** When a session began, or was proved anew; null for none. */
    async sessionProved(accountId: string, sessionId: string): Promise<number | null> {
      const row = await tables()
        .selectFrom('auth_sessions')
        .select(['created_at', 'proved_at'])
        .where('id', '=', sessionId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ? Math.max(row.created_at, row.proved_at ?? 0) : null
    },

    async proveSession(accountId: string, sessionId: string, now: number): Promise<void> {
      await tables()
        .updateTable('auth_sessions')
        .set({ proved_at: now })
        .where('id', '=', sessionId)
        .where('account_id', '=', accountId)
        .execute()
    },
  }
}

const accountDigest = ({ credential, updated_at }: Pick<AccountRow, 'credential' | 'updated_at'>): string =>
  hash('sha256', `${updated_at} ${Buffer.from(credential).toString('base64')}`, 'hex')
