/** Every SQL statement about banners; rows become banners here and nowhere else. */
import type { Banner, BannerBody, ListedBanner } from '@atrium/contract/branding'
import type { AnyTransaction, Database } from '../../../platform/db/types.ts'
import { openWords } from '../../../platform/stored-json.ts'
import type { Keyring, Vault } from '../../../platform/vault/types.ts'
import type { BannerRow, BrandingTables } from '../tables.ts'
import { stateOf } from './rules.ts'

export type BannerStore = ReturnType<typeof createBannerStore>

export const createBannerStore = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = () => database.tables<BrandingTables>()
  const fieldsOf = (keyring: Keyring, id: string, body: BannerBody) => ({
    text: keyring.seal('banners.text', id, body.text),
    kind: body.kind,
    starts_at: body.startsAt === null ? null : Date.parse(body.startsAt),
    ends_at: body.endsAt === null ? null : Date.parse(body.endsAt),
    dismissible: body.dismissible ? (1 as const) : (0 as const),
    public: body.public ? (1 as const) : (0 as const),
  })

  return {
    /** All of them, newest first. */
    list: (): Promise<BannerRow[]> =>
      tables().selectFrom('banners').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute(),

    /** false: there are `most` already. `also` runs in the same transaction. */
    async insert(id: string, body: BannerBody, now: number, most: number, also: Also): Promise<boolean> {
      const fields = fieldsOf(await vault.keyring(null), id, body)
      return await database.write<BrandingTables, boolean>(async (trx) => {
        const present = await trx.selectFrom('banners').select('id').limit(most).execute()
        if (present.length >= most) return false
        await trx
          .insertInto('banners')
          .values({ id, ...fields, created_at: now, updated_at: now })
          .execute()
        await also(trx)
        return true
      }, 'audit')
    },

    /** null: there is no such banner. */
    async replace(id: string, body: BannerBody, now: number, also: Also): Promise<BannerRow | null> {
      const fields = fieldsOf(await vault.keyring(null), id, body)
      return await database.write<BrandingTables, BannerRow | null>(async (trx) => {
        const row = await trx
          .updateTable('banners')
          .set({ ...fields, updated_at: now })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        if (row) await also(trx)
        return row ?? null
      }, 'audit')
    },

    /** false: there is no such banner. */
    remove: (id: string, also: Also): Promise<boolean> =>
      database.write<BrandingTables, boolean>(async (trx) => {
        const gone = await trx.deleteFrom('banners').where('id', '=', id).returning('id').executeTakeFirst()
        if (gone) await also(trx)
        return gone !== undefined
      }, 'audit'),

    /** As people see them. */
    async open(rows: readonly BannerRow[]): Promise<Banner[]> {
      const keyring = await vault.keyring(null)
      return rows.map((row) => rowToBanner(keyring, row))
    },

    /** As administrators see them. */
    async openListed(rows: readonly BannerRow[], now: number): Promise<ListedBanner[]> {
      const keyring = await vault.keyring(null)
      return rows.map((row) =>
        Object.assign(rowToBanner(keyring, row), {
          startsAt: timeOf(row.starts_at),
          endsAt: timeOf(row.ends_at),
          public: row.public === 1,
          state: stateOf(row, now),
        }),
      )
    },
  }
}

type Also = (trx: AnyTransaction) => Promise<void>

const rowToBanner = (keyring: Keyring, row: BannerRow): Banner => ({
  id: row.id,
  text: openWords(keyring, 'banners.text', row.id, row.text),
  kind: row.kind,
  dismissible: row.dismissible === 1,
  updatedAt: new Date(row.updated_at).toISOString(),
})

const timeOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())
