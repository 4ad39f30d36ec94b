/** Every SQL statement about the models of the instance. */
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import type { Vault } from '../../platform/vault/types.ts'
import type { LocalRuntimeTables } from './tables.ts'

export type LocalRuntimeStore = ReturnType<typeof createLocalRuntimeStore>

export const createLocalRuntimeStore = (deps: { database: Database; vault: Vault; clock: Clock }) => {
  const { database, vault, clock } = deps
  const place = 'local_runtime_settings.value'
  return {
    /** Everything that was set, by name, as it was given. */
    async all(): Promise<ReadonlyMap<string, unknown>> {
      const keyring = await vault.keyring(null)
      const rows = await database
        .tables<LocalRuntimeTables>()
        .selectFrom('local_runtime_settings')
        .select(['name', 'value'])
        .execute()
      return new Map(rows.map(({ name, value }) => [name, JSON.parse(keyring.open(place, name, value)) as unknown]))
    },

    async save(name: string, content: unknown): Promise<void> {
      const value = (await vault.keyring(null)).seal(place, name, JSON.stringify(content))
      const updated_at = clock.now()
      await database
        .tables<LocalRuntimeTables>()
        .insertInto('local_runtime_settings')
        .values({ name, value, updated_at })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at }))
        .execute()
    },
  }
}
