/** Every SQL statement about passkeys and their challenges. */
import { openWords, storedJson, unlessUnreadable } from '../../../platform/stored-json.ts'
import type { Passkey } from '@atrium/contract/accounts'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import { challengeMs, maxPasskeys } from './rules.ts'
import type { PasskeyChallengeRow, PasskeyRow, PasskeyTables } from './tables.ts'

/** What is kept of a credential; binary as base64url. */
const PasskeyCredential = z.object({ id: z.string(), publicKey: z.string(), transports: z.array(z.string()) })
const credentialJson = storedJson('passkeys.credential', PasskeyCredential)
export type PasskeyCredential = z.infer<typeof PasskeyCredential>

/** A passkey that somebody shows. */
export interface PresentedPasskey {
  readonly id: string
  readonly accountId: string
  readonly credential: PasskeyCredential
  readonly isSuspect: boolean
}

export type PasskeyStore = ReturnType<typeof createPasskeyStore>

export const createPasskeyStore = (deps: { database: Database; vault: Vault; clock: Clock }) => {
  const { database, vault, clock } = deps
  const tables = () => database.tables<PasskeyTables>()
  const indexOf = (credentialId: string) => vault.blindIndex('passkeys.credential', credentialId)

  const present = async (row: PasskeyRow): Promise<Passkey> => {
    const keyring = await vault.keyring(row.account_id)
    return {
      id: row.id,
      name: row.name && openWords(keyring, 'passkeys.name', row.id, row.name),
      createdAt: new Date(row.created_at).toISOString(),
      lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
      suspect: row.suspect_at !== null,
    }
  }
  const openCredential = async (
    row: Pick<PasskeyRow, 'id' | 'account_id' | 'credential'>,
  ): Promise<PasskeyCredential | null> => {
    const keyring = await vault.keyring(row.account_id)
    return unlessUnreadable(() => credentialJson.open(keyring, row.id, row.credential), null)
  }
  const rowsOf = (accountId: string) =>
    tables()
      .selectFrom('passkeys')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()

  return {
    async list(accountId: string): Promise<Passkey[]> {
      return await Promise.all((await rowsOf(accountId)).map(present))
    },

    /** Without those that are suspect. */
    async listUsable(accountId: string): Promise<Passkey[]> {
      const rows = await rowsOf(accountId)
      return await Promise.all(rows.filter(({ suspect_at }) => suspect_at === null).map(present))
    },

    async credentials(accountId: string): Promise<PasskeyCredential[]> {
      return (await Promise.all((await rowsOf(accountId)).map(openCredential))).flatMap((one) => one ?? [])
    },

    /** Whether anybody here has one. */
    async inUse(): Promise<boolean> {
      return (await tables().selectFrom('passkeys').select('id').limit(1).executeTakeFirst()) !== undefined
    },

    /** Whether an account has one that works, asked within somebody's transaction. */
    async hasUsable(trx: AnyTransaction, accountId: string): Promise<boolean> {
      const row = await inTables<PasskeyTables>(trx)
        .selectFrom('passkeys')
        .select('id')
        .where('account_id', '=', accountId)
        .where('suspect_at', 'is', null)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Those of these accounts that have one. */
    async ownersAmong(accountIds: readonly string[]): Promise<Set<string>> {
      if (accountIds.length === 0) return new Set()
      const rows = await tables()
        .selectFrom('passkeys')
        .select('account_id')
        .distinct()
        .where('account_id', 'in', accountIds)
        .execute()
      return new Set(rows.map(({ account_id }) => account_id))
    },

    /** Refuses with `passkey_limit` and `passkey_exists`. */
    async insert(
      passkey: { accountId: string; name: string | null; credential: PasskeyCredential; signCount: number },
      also: (trx: AnyTransaction, id: string) => Promise<void>,
    ): Promise<Passkey> {
      const { accountId, name, credential, signCount } = passkey
      const keyring = await vault.keyring(accountId)
      const id = clock.id()
      const row: PasskeyRow = {
        id,
        account_id: accountId,
        credential_index: indexOf(credential.id),
        credential: credentialJson.seal(keyring, id, credential),
        name: name === null ? null : keyring.seal('passkeys.name', id, name),
        sign_count: signCount,
        created_at: clock.now(),
        last_used_at: null,
        suspect_at: null,
      }
      await database.write<PasskeyTables, void>(async (trx) => {
        const known = await trx
          .selectFrom('passkeys')
          .select(['account_id', 'credential_index'])
          .where((by) => by.or([by('account_id', '=', accountId), by('credential_index', '=', row.credential_index)]))
          .execute()
        if (known.some((other) => other.credential_index === row.credential_index)) throw fail('passkey_exists')
        if (known.length >= maxPasskeys) throw fail('passkey_limit')
        await trx.insertInto('passkeys').values(row).execute()
        await also(trx, id)
      }, 'audit')
      return await present(row)
    },

    async rename(accountId: string, id: string, name: string): Promise<Passkey | null> {
      const row = await tables()
        .updateTable('passkeys')
        .set({ name: (await vault.keyring(accountId)).seal('passkeys.name', id, name) })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row ? await present(row) : null
    },

    /** `others`: whether the account has another one that works. null when there is no such passkey. */
    async remove(
      accountId: string,
      id: string,
      also: (trx: AnyTransaction, others: boolean) => Promise<void>,
    ): Promise<boolean> {
      return await database.write<PasskeyTables, boolean>(async (trx) => {
        const rows = await trx
          .selectFrom('passkeys')
          .select(['id', 'suspect_at'])
          .where('account_id', '=', accountId)
          .execute()
        const gone = rows.find((row) => row.id === id)
        if (!gone) return false
        // Removing one that is not accepted takes nothing away.
        const others = gone.suspect_at !== null || rows.some((row) => row.id !== id && row.suspect_at === null)
        await trx.deleteFrom('passkeys').where('id', '=', id).execute()
        await also(trx, others)
        return true
      }, 'audit')
    },

    async find(credentialId: string): Promise<PresentedPasskey | null> {
      const row = await tables()
        .selectFrom('passkeys')
        .selectAll()
        .where('credential_index', '=', indexOf(credentialId))
        .executeTakeFirst()
      if (!row) return null
      const { id, account_id: accountId, suspect_at } = row
      const credential = await openCredential(row)
      return credential && { id, accountId, credential, isSuspect: suspect_at !== null }
    },

    /** Moves the counter on, of many at the same time one by one. false: it went back, and the passkey is suspect now. */
    async use(id: string, signCount: number): Promise<boolean> {
      const now = clock.now()
      const used = await tables()
        .updateTable('passkeys')
        .set({ sign_count: signCount, last_used_at: now })
        .where('id', '=', id)
        .where('suspect_at', 'is', null)
        .where((by) => (signCount === 0 ? by('sign_count', '=', 0) : by('sign_count', '<', signCount)))
        .returning('id')
        .execute()
      if (used.length > 0) return true
      await tables()
        .updateTable('passkeys')
        .set({ suspect_at: now })
        .where('id', '=', id)
        .where('suspect_at', 'is', null)
        .execute()
      return false
    },

    /** Keeps a challenge; those whose time is over go. */
    async keepChallenge(challenge: Omit<PasskeyChallengeRow, 'expires_at'>): Promise<void> {
      const now = clock.now()
      await tables().deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
      await tables()
        .insertInto('passkey_challenges')
        .values({ ...challenge, expires_at: now + challengeMs })
        .execute()
    },

    /** Takes a challenge away, whatever comes of it; null when there is none such, or its time is over. */
    async burnChallenge(tokenDigest: string): Promise<PasskeyChallengeRow | null> {
      const row = await tables()
        .deleteFrom('passkey_challenges')
        .where('token_digest', '=', tokenDigest)
        .returningAll()
        .executeTakeFirst()
      return row && row.expires_at > clock.now() ? row : null
    },
  }
}
