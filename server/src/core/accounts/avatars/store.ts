/** Every SQL statement about pictures of people. */
import { hash } from 'node:crypto'
import type { Database } from '../../../platform/db/types.ts'
import type { SmallPicture } from '../../../platform/formats/picture/data-url.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import type { AccountRow, AccountTables } from '../tables.ts'
import type { AvatarRow } from './tables.ts'

export type AvatarStore = ReturnType<typeof createAvatarStore>

const place = 'account_avatars.picture'

export const createAvatarStore = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = () => database.tables<AccountTables>()
  const live = (tag: string) =>
    tables()
      .selectFrom('account_avatars')
      .innerJoin('accounts', 'accounts.id', 'account_avatars.account_id')
      .select(['account_id', 'media_type', 'picture'])
      .where('tag', '=', tag)
      .where('removing_at', 'is', null)
      .executeTakeFirst()

  const open = async (row: Omit<AvatarRow, 'tag'>) => {
    const keyring = await vault.keyring(row.account_id)
    return { mediaType: row.media_type, bytes: await keyring.openBytes(place, row.account_id, row.picture) }
  }

  return {
    /** Puts a picture in the place of the one before; null takes it away. false: there is no such account. */
    async put(accountId: string, picture: SmallPicture | null, now: number): Promise<boolean> {
      const sealed = picture && (await (await vault.keyring(accountId)).sealBytes(place, accountId, picture.bytes))
      // Of account and picture, so that nothing tells whether two people have the same.
      const tag = picture && vault.blindIndex(place, `${accountId} ${hash('sha256', picture.bytes)}`).slice(0, 32)
      return await database.write<AccountTables, boolean>(async (trx) => {
        const changed = await trx
          .updateTable('accounts')
          .set({ avatar_tag: tag, updated_at: now } satisfies Partial<AccountRow>)
          .where('id', '=', accountId)
          .where('removing_at', 'is', null)
          .returning('id')
          .executeTakeFirst()
        if (!changed) return false
        await trx.deleteFrom('account_avatars').where('account_id', '=', accountId).execute()
        if (picture && tag && sealed) {
          const row = { account_id: accountId, tag, media_type: picture.mediaType, picture: sealed }
          await trx.insertInto('account_avatars').values(row).execute()
        }
        return true
      })
    },

    /** The picture with this tag, of an account that is not being removed; null where there is none. */
    async read(tag: string): Promise<{ mediaType: string; bytes: Uint8Array } | null> {
      const row = await live(tag)
      return row ? await open(row) : null
    },

    /** The picture of an account; null where it has none. */
    async readOf(accountId: string): Promise<{ mediaType: string; bytes: Uint8Array } | null> {
      const row = await tables()
        .selectFrom('account_avatars')
        .selectAll()
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ? await open(row) : null
    },
  }
}
