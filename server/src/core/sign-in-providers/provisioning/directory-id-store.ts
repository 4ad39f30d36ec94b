/** Every SQL statement about the ids by which directories know accounts. */
import { unlessUnreadable } from '../../../platform/stored-json.ts'
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import type { DirectoryIdRow, DirectoryIdTables, DirectorySource } from './tables.ts'

export interface DirectoryId {
  readonly accountId: string
  readonly subject: string | null
  /** JSON of what the directory said beside the fields of an account. */
  readonly attributes: string | null
}

export type DirectoryIds = ReturnType<typeof createDirectoryIds>

export const createDirectoryIds = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = () => database.tables<DirectoryIdTables>()
  const indexOf = (source: DirectorySource, subject: string) =>
    vault.blindIndex('account_directory_ids.subject', `${source} ${subject}`)
  const sealed = async (accountId: string, source: DirectorySource, { subject, attributes }: DirectoryAttributes) => {
    const keyring = await vault.keyring(accountId)
    const seal = (column: 'subject' | 'attributes', text: string | null) =>
      text === null ? null : keyring.seal(`account_directory_ids.${column}`, `${accountId} ${source}`, text)
    return {
      subject_index: subject === null ? null : indexOf(source, subject),
      subject: seal('subject', subject),
      attributes: seal('attributes', attributes),
    }
  }
  const open = async (row: DirectoryIdRow): Promise<DirectoryId> => {
    const keyring = await vault.keyring(row.account_id)
    const text = (column: 'subject' | 'attributes') => {
      const bytes = row[column]
      const id = `${row.account_id} ${row.source}`
      return bytes && unlessUnreadable(() => keyring.open(`account_directory_ids.${column}`, id, bytes), null)
    }
    return { accountId: row.account_id, subject: text('subject'), attributes: text('attributes') }
  }

  return {
    /** The account that the directory knows by this id. */
    async find(source: DirectorySource, subject: string): Promise<string | null> {
      const row = await tables()
        .selectFrom('account_directory_ids')
        .select('account_id')
        .where('source', '=', source)
        .where('subject_index', '=', indexOf(source, subject))
        .executeTakeFirst()
      return row?.account_id ?? null
    },

    /** What the directory knows of an account; null where it does not know it. */
    async of(source: DirectorySource, accountId: string): Promise<DirectoryId | null> {
      const row = await tables()
        .selectFrom('account_directory_ids')
        .selectAll()
        .where('source', '=', source)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ? await open(row) : null
    },

    /** Whether people can sign in to an account with the directory, asked within somebody's transaction. */
    async isLinked(trx: AnyTransaction, accountId: string): Promise<boolean> {
      const row = await inTables<DirectoryIdTables>(trx)
        .selectFrom('account_directory_ids')
        .select('source')
        .where('account_id', '=', accountId)
        .where('source', '=', 'ldap')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Those of these accounts that the directory knows. */
    async known(source: DirectorySource, accountIds: readonly string[]): Promise<Set<string>> {
      if (accountIds.length === 0) return new Set()
      const rows = await tables()
        .selectFrom('account_directory_ids')
        .select('account_id')
        .where('source', '=', source)
        .where('account_id', 'in', accountIds)
        .execute()
      return new Set(rows.map(({ account_id }) => account_id))
    },

    /** A part of all that the directory knows, oldest account first, with how many there are; `status`: only those. */
    async page(source: DirectorySource, wanted: { status?: 'active' | 'others'; offset: number; limit: number }) {
      const { status, offset, limit } = wanted
      let query = tables()
        .selectFrom('account_directory_ids')
        .innerJoin('accounts', 'accounts.id', 'account_directory_ids.account_id')
        .where('source', '=', source)
      if (status) query = query.where('accounts.status', status === 'active' ? '=' : '!=', 'active')
      const { total } = await query.select((by) => by.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const rows = await query
        .select('accounts.id')
        .orderBy('accounts.created_at')
        .orderBy('accounts.id')
        .offset(offset)
        .limit(limit)
        .execute()
      return { total: Number(total), accountIds: rows.map(({ id }) => id) }
    },

    /** Links an account, or changes its link. Refuses with `identity_linked` when another account has the id. */
    async link(source: DirectorySource, accountId: string, said: DirectoryAttributes, now: number): Promise<void> {
      const columns = await sealed(accountId, source, said)
      await database.write<DirectoryIdTables, void>(async (trx) => {
        const other =
          columns.subject_index !== null &&
          (await trx
            .selectFrom('account_directory_ids')
            .select('account_id')
            .where('source', '=', source)
            .where('subject_index', '=', columns.subject_index)
            .where('account_id', '!=', accountId)
            .executeTakeFirst())
        if (other) throw fail('identity_linked')
        const row = { account_id: accountId, source, ...columns, linked_at: now, seen_at: now }
        await trx
          .insertInto('account_directory_ids')
          .values(row)
          .onConflict((on) => on.columns(['account_id', 'source']).doUpdateSet({ ...columns, seen_at: now }))
          .execute()
      })
    },

    async seen(source: DirectorySource, accountId: string, now: number): Promise<void> {
      await tables()
        .updateTable('account_directory_ids')
        .set({ seen_at: now })
        .where('source', '=', source)
        .where('account_id', '=', accountId)
        .execute()
    },

    /** false: there was no link. */
    async unlink(source: DirectorySource, accountId: string): Promise<boolean> {
      const gone = await tables()
        .deleteFrom('account_directory_ids')
        .where('source', '=', source)
        .where('account_id', '=', accountId)
        .returning('account_id')
        .execute()
      return gone.length > 0
    },
  }
}

interface DirectoryAttributes {
  readonly subject: string | null
  readonly attributes: string | null
}
