/** The e-mail address of an account: set, shown to be one's own, and what waits to take its place. */
import type { User } from '@atrium/contract/accounts'
import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import { plainName } from '../rules.ts'
import type { AccountRow, AccountTables } from '../tables.ts'

export interface EmailAddresses {
  /**
   * Gives an account an address that is known to be its own (a confirmed link, a provider that vouches for it), and
   * forgets one that waited. null: no such account. Refuses with `email_taken`. `within`: somebody's transaction.
   */
  setVerifiedEmail(
    id: string,
    email: string,
    now: number,
    within?: (trx: Transaction<AccountTables>) => Promise<void>,
  ): Promise<User | null>
  /** Keeps an address that waits to be confirmed; null forgets it. Refuses with `email_taken`. */
  setPendingEmail(id: string, email: string | null, now: number): Promise<User | null>
  /** Forgets an address that waits, within somebody's transaction. `provenAt`: since when the present one is known to be its own; null leaves that. */
  dropPendingEmail(trx: Transaction<AccountTables>, id: string, provenAt: number | null): Promise<void>
}

export const createEmailAddresses = (deps: {
  database: Database
  vault: Vault
  open: (row: AccountRow) => Promise<User>
  /** Refuses an address that another account has. */
  requireFree: (trx: Transaction<AccountTables>, own: string, email: string) => Promise<void>
}): EmailAddresses => {
  const { database, vault, open, requireFree } = deps
  const change = async (id: string, email: string | null, set: Partial<AccountRow>, within?: Within) => {
    const row = await database.write<AccountTables, AccountRow | undefined>(async (trx) => {
      await within?.(trx)
      if (email !== null) await requireFree(trx, id, email)
      return await trx.updateTable('accounts').set(set).where('id', '=', id).returningAll().executeTakeFirst()
    })
    return row ? await open(row) : null
  }

  return {
    async setVerifiedEmail(id, email, now, within) {
      const sealed = (await vault.keyring(id)).seal('accounts.email', id, email)
      const index = vault.blindIndex('accounts.email', plainName(email))
      const set = { email: sealed, email_index: index, email_verified_at: now, pending_email: null, updated_at: now }
      return await change(id, email, set, within)
    },

    async setPendingEmail(id, email, now) {
      const pending_email = email === null ? null : (await vault.keyring(id)).seal('accounts.pending_email', id, email)
      return await change(id, email, { pending_email, updated_at: now })
    },

    async dropPendingEmail(trx, id, provenAt) {
      await trx
        .updateTable('accounts')
        .set({ pending_email: null, ...(provenAt === null ? {} : { email_verified_at: provenAt }) })
        .where('id', '=', id)
        .execute()
    },
  }
}

type Within = (trx: Transaction<AccountTables>) => Promise<void>
