/** Every SQL statement about the tokens of directories, and their ids of groups. */
import { openWords, readableOf } from '../../platform/stored-json.ts'
import type { ScimToken } from '@atrium/contract/scim'
import type { Database } from '../../platform/db/types.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Keyring, Vault } from '../../platform/vault/types.ts'
import type { ScimTables, ScimTokenRow } from './tables.ts'

export const mostTokens = 5
export type ScimStore = ReturnType<typeof createScimStore>

export const createScimStore = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = () => database.tables<ScimTables>()
  const externalIndex = (externalId: string) => vault.blindIndex('scim_groups.external_id', externalId)

  return {
    /** Refuses with `scim_token_limit`, also when many are made at the same time. Those that are over go. */
    async insert(token: Omit<ScimTokenRow, 'name' | 'last_used_at'> & { name: string }): Promise<ScimToken> {
      const keyring = await vault.keyring(null)
      const row: ScimTokenRow = {
        ...token,
        name: keyring.seal('scim_tokens.name', token.id, token.name),
        last_used_at: null,
      }
      await database.write<ScimTables, void>(async (trx) => {
        await trx.deleteFrom('scim_tokens').where('expires_at', '<=', token.created_at).execute()
        const known = await trx.selectFrom('scim_tokens').select('id').execute()
        if (known.length >= mostTokens) throw fail('scim_token_limit')
        await trx.insertInto('scim_tokens').values(row).execute()
      })
      return toToken(keyring, row)
    },

    /** Another token in place of one. Refuses with `scim_token_not_found`. */
    async replace(id: string, digest: string, prefix: string): Promise<ScimToken> {
      const row = await tables()
        .updateTable('scim_tokens')
        .set({ token_digest: digest, prefix, last_used_at: null })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      if (!row) throw fail('scim_token_not_found')
      return toToken(await vault.keyring(null), row)
    },

    /** Refuses with `scim_token_not_found`. */
    async remove(id: string): Promise<void> {
      const gone = await tables().deleteFrom('scim_tokens').where('id', '=', id).returning('id').execute()
      if (gone.length === 0) throw fail('scim_token_not_found')
    },

    async list(): Promise<ScimToken[]> {
      const keyring = await vault.keyring(null)
      const rows = await tables()
        .selectFrom('scim_tokens')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
      return rows.map((row) => toToken(keyring, row))
    },

    async byDigest(digest: string): Promise<Pick<ScimTokenRow, 'id' | 'expires_at' | 'last_used_at'> | null> {
      const row = await tables()
        .selectFrom('scim_tokens')
        .select(['id', 'expires_at', 'last_used_at'])
        .where('token_digest', '=', digest)
        .executeTakeFirst()
      return row ?? null
    },

    async touch(id: string, now: number): Promise<void> {
      await tables().updateTable('scim_tokens').set({ last_used_at: now }).where('id', '=', id).execute()
    },

    /** The directory's ids of groups, by the ids here. */
    async groupIds(): Promise<Map<string, string>> {
      const keyring = await vault.keyring(null)
      const rows = await tables().selectFrom('scim_groups').select(['group_id', 'external_id']).execute()
      return new Map(
        readableOf(rows, (row) => [
          row.group_id,
          keyring.open('scim_groups.external_id', row.group_id, row.external_id),
        ]),
      )
    },

    async setGroupId(groupId: string, externalId: string | null): Promise<void> {
      if (externalId === null)
        return void (await tables().deleteFrom('scim_groups').where('group_id', '=', groupId).execute())
      const keyring = await vault.keyring(null)
      const columns = {
        external_index: externalIndex(externalId),
        external_id: keyring.seal('scim_groups.external_id', groupId, externalId),
      }
      await tables()
        .insertInto('scim_groups')
        .values({ group_id: groupId, ...columns })
        .onConflict((on) => on.column('group_id').doUpdateSet(columns))
        .execute()
    },
  }
}

const toToken = (keyring: Keyring, row: ScimTokenRow): ScimToken => ({
  id: row.id,
  name: openWords(keyring, 'scim_tokens.name', row.id, row.name),
  tokenPrefix: row.prefix,
  createdAt: new Date(row.created_at).toISOString(),
  expiresAt: timeOrNull(row.expires_at),
  lastUsedAt: timeOrNull(row.last_used_at),
})

const timeOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
