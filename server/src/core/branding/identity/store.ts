/** Every SQL statement about logos. */
import { hash } from 'node:crypto'
import type { LogoVariant } from '@atrium/contract/branding'
import type { Database } from '../../../platform/db/types.ts'
import type { SmallPicture } from '../../../platform/formats/picture/data-url.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import type { BrandingTables } from '../tables.ts'

export type LogoStore = ReturnType<typeof createLogoStore>

const place = 'branding_logos.picture'

export const createLogoStore = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = () => database.tables<BrandingTables>()

  return {
    /** Puts a logo in the place of the one before; null takes it away. */
    async put(variant: LogoVariant, logo: SmallPicture | null): Promise<void> {
      const picture = logo && (await (await vault.keyring(null)).sealBytes(place, variant, logo.bytes))
      const tag = logo && vault.blindIndex(place, `${variant} ${hash('sha256', logo.bytes)}`).slice(0, 32)
      if (!logo || !picture || !tag) {
        await tables().deleteFrom('branding_logos').where('variant', '=', variant).execute()
        return
      }
      const columns = { tag, media_type: logo.mediaType, picture }
      await tables()
        .insertInto('branding_logos')
        .values({ variant, ...columns })
        .onConflict((on) => on.column('variant').doUpdateSet(columns))
        .execute()
    },

    /** The tags of those that there are. */
    async tags(): Promise<Readonly<Partial<Record<LogoVariant, string>>>> {
      const rows = await tables().selectFrom('branding_logos').select(['variant', 'tag']).execute()
      return Object.fromEntries(rows.map(({ variant, tag }) => [variant, tag]))
    },

    /** The logo with this tag; null where there is none. */
    async read(tag: string): Promise<{ mediaType: string; bytes: Uint8Array } | null> {
      const row = await tables().selectFrom('branding_logos').selectAll().where('tag', '=', tag).executeTakeFirst()
      if (!row) return null
      const bytes = await (await vault.keyring(null)).openBytes(place, row.variant, row.picture)
      return { mediaType: row.media_type, bytes }
    },
  }
}
