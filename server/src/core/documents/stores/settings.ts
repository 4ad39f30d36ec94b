/** SQL of how an account has its documents cut and searched. Figures and model names; no row holds content. */
import { EmbeddingSettings } from '@atrium/contract/documents'
import type { Platform } from '../../../platform/platform.ts'
import type { DocumentTables } from '../tables.ts'

export const createSettingsStore = ({ database, clock }: Pick<Platform, 'clock' | 'database'>) => {
  const tables = () => database.tables<DocumentTables>()
  const own = (accountId: string) =>
    tables().selectFrom('document_settings').select('settings').where('account_id', '=', accountId)

  return {
    async read(accountId: string): Promise<EmbeddingSettings> {
      return readSettings((await own(accountId).executeTakeFirst())?.settings)
    },

    /** Reads, changes and writes in one transaction. `change` may refuse, and may run more than once. */
    change(accountId: string, change: (before: EmbeddingSettings) => EmbeddingSettings): Promise<EmbeddingSettings> {
      const updated_at = clock.now()
      return database.write<DocumentTables, EmbeddingSettings>(async (trx) => {
        const row = await trx
          .selectFrom('document_settings')
          .select('settings')
          .where('account_id', '=', accountId)
          .executeTakeFirst()
        const after = change(readSettings(row?.settings))
        const settings = JSON.stringify(after)
        await trx
          .insertInto('document_settings')
          .values({ account_id: accountId, settings, updated_at })
          .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ settings, updated_at }))
          .execute()
        return after
      })
    },

    async reset(accountId: string): Promise<EmbeddingSettings> {
      await tables().deleteFrom('document_settings').where('account_id', '=', accountId).execute()
      return readSettings(undefined)
    },
  }
}
export type SettingsStore = ReturnType<typeof createSettingsStore>

/** A member that this version cannot read any more falls back to its default. */
const readSettings = (stored: string | undefined): EmbeddingSettings => {
  const settings: Record<string, unknown> = EmbeddingSettings.parse({})
  if (stored === undefined) return settings as EmbeddingSettings
  const members = Object.entries(JSON.parse(stored) as Record<string, unknown>)
  for (const [name, value] of members) {
    const member = EmbeddingSettings.shape[name as keyof EmbeddingSettings]?.safeParse(value)
    if (member?.success) settings[name] = member.data
  }
  return settings as EmbeddingSettings
}
