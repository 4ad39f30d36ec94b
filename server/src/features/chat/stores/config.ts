/** Every SQL statement about what administrators set for chats: rows of `chat_config`. */
import { inTables } from '../../../platform/db/types.ts'
import type { SavedText, SettingStorage, StorageDeps } from '../../../platform/settings/index.ts'
import { unlessUnreadable } from '../../../platform/stored-json.ts'
import type { ChatTables } from '../tables.ts'

const place = 'chat_config.value'

export const chatConfigStorage = ({ database, vault }: StorageDeps): SettingStorage => ({
  place,
  channel: 'chat-config-changed',

  async read() {
    const keyring = await vault.keyring(null)
    const rows = await database.tables<ChatTables>().selectFrom('chat_config').select(['id', 'value']).execute()
    return new Map(rows.map(({ id, value }) => [id, unlessUnreadable(() => keyring.open(place, id, value), null)]))
  },

  async prepare(ids, change) {
    const keyring = await vault.keyring(null)
    return async (trx) => {
      const tables = inTables<ChatTables>(trx)
      const rows = await tables.selectFrom('chat_config').select(['id', 'value']).where('id', 'in', ids).execute()
      const before = new Map<string, SavedText>(
        rows.map(({ id, value }) => [id, unlessUnreadable(() => keyring.open(place, id, value), null)]),
      )
      for (const [id, json] of change(before)) {
        if (json === null) {
          await tables.deleteFrom('chat_config').where('id', '=', id).execute()
          continue
        }
        const value = keyring.seal(place, id, json)
        await tables
          .insertInto('chat_config')
          .values({ id, value })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ value }))
          .execute()
      }
    }
  },
})
