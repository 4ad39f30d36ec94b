/** Every SQL statement about the models of the instance. */
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import type { Vault } from '../../platform/vault/types.ts'
import { unlessUnreadable } from '../../platform/stored-json.ts'
import type { LocalRuntimeTables } from './tables.ts'

export const localRuntimePlace = 'local_runtime_settings.value'
export const localRuntimeChannel = 'local-runtime-settings-changed'
export type LocalRuntimeStore = ReturnType<typeof createLocalRuntimeStore>

export const createLocalRuntimeStore = (deps: { database: Database; vault: Vault; clock: Clock }) => {
  const { database, vault, clock } = deps
  return {
    /** Everything that was set, by name, as JSON; null where its seal is broken. */
    async all(): Promise<ReadonlyMap<string, string | null>> {
      const keyring = await vault.keyring(null)
      const rows = await database
        .tables<LocalRuntimeTables>()
        .selectFrom('local_runtime_settings')
        .select(['name', 'value'])
        .execute()
      return new Map(
        rows.map(({ name, value }) => [
          name,
          unlessUnreadable(() => keyring.open(localRuntimePlace, name, value), null),
        ]),
      )
    },

    /** All processes hear of it on `localRuntimeChannel`. */
    async save(name: string, json: string): Promise<void> {
      const value = (await vault.keyring(null)).seal(localRuntimePlace, name, json)
      const updated_at = clock.now()
      await database.write<LocalRuntimeTables, void>(async (trx) => {
        await trx
          .insertInto('local_runtime_settings')
          .values({ name, value, updated_at })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at }))
          .execute()
        await database.notifyIn(trx, localRuntimeChannel, '')
      })
    },
  }
}
