/**
 * Files that get another owner. In the transaction only their rows change, however large they are; each file is sealed
 * with the new key afterwards, in a transaction of its own.
 */
import { type Kysely, sql } from 'kysely'
import type { AnyTransaction, Database } from '../db/types.ts'
import { resealRows } from '../vault/reseal.ts'
import type { Vault } from '../vault/types.ts'
import { requireQuota } from './quota.ts'
import { type FileTables, fileSealed } from './tables.ts'
import { usedIn } from './usage.ts'

export interface FileMove {
  readonly ids: readonly string[]
  readonly fromId: string
  readonly toId: string
}

export type HandOverFiles = (trx: AnyTransaction, move: FileMove) => Promise<void>

const atOnce = 500

/** `quota` 0: there is no limit. */
export const handOverIn = async (
  trx: Kysely<FileTables>,
  { ids, fromId, toId }: FileMove,
  quota: number,
): Promise<void> => {
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce)
    if (quota > 0) {
      const { bytes } = await trx
        .selectFrom('files')
        .select((by) => by.fn.coalesce(by.fn.sum<number>('size'), by.lit(0)).as('bytes'))
        .where('id', 'in', some)
        .where('account_id', '=', fromId)
        .where('counted', '=', 1)
        .executeTakeFirstOrThrow()
      if (Number(bytes) > 0) requireQuota(quota, await usedIn(trx, toId), Number(bytes))
    }
    await trx
      .updateTable('files')
      .set({
        account_id: toId,
        // Handed on before it was sealed again, the first key is still the one that opens it.
        sealed_by: sql<
          string | null
        >`case when held = 1 or sealed_by = ${toId} then null else coalesce(sealed_by, ${fromId}) end`,
      })
      .where('id', 'in', some)
      .where('account_id', '=', fromId)
      .execute()
  }
}

export const resealFiles = async (
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  formerId: string,
): Promise<void> => {
  for (;;) {
    const file = await database
      .tables<FileTables>()
      .selectFrom('files')
      .select(['id', 'account_id'])
      .where('sealed_by', '=', formerId)
      .limit(1)
      .executeTakeFirst()
    if (!file) return
    const keys = { from: await vault.keyring(formerId), to: await vault.keyring(file.account_id) }
    await database.write<FileTables, void>(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('files')
        .set({ sealed_by: null })
        .where('id', '=', file.id)
        .where('sealed_by', '=', formerId)
        .where('account_id', file.account_id === null ? 'is' : '=', file.account_id)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows > 0n) await resealRows(trx, fileSealed, sql<boolean>`file_id = ${file.id}`, keys)
    })
  }
}
