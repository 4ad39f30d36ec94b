/** SQL of artifacts that get another owner. */
import { mostArtifacts } from '@atrium/contract/artifacts'
import { sql } from 'kysely'
import type { TransferSides } from '../../../core/resources/index.ts'
import { type AnyTransaction, inTables } from '../../../platform/db/types.ts'
import type { HandOverFiles } from '../../../platform/files/hand-over.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { resealRows } from '../../../platform/vault/reseal.ts'
import type { Platform } from '../../../platform/platform.ts'
import { artifactSealed, type ArtifactTables } from '../tables.ts'
import { partitionOf, roomOf } from './rows.ts'

export type TransferStore = ReturnType<typeof createTransferStore>

export const createTransferStore = ({ database, indexes: { texts } }: Pick<Platform, 'database' | 'indexes'>) => {
  const reseal = async (trx: AnyTransaction, id: string, sides: TransferSides): Promise<void> => {
    for (const [table, key] of [
      ['artifacts', 'id'],
      ['artifact_versions', 'artifact_id'],
    ] as const) {
      const columns = artifactSealed.filter((column) => column.table === table)
      await resealRows(trx, columns, sql<boolean>`${sql.ref(key)} = ${id}`, sides)
    }
  }
  return {
    async bytes(id: string): Promise<number> {
      const row = await database
        .tables<ArtifactTables>()
        .selectFrom('artifact_versions')
        .select((by) => by.fn.coalesce(by.fn.sum<number>('size_bytes'), by.lit(0)).as('bytes'))
        .where('artifact_id', '=', id)
        .executeTakeFirstOrThrow()
      return Number(row.bytes)
    },

    /** Links end with their owner. Refuses with `conflict`, `artifact_limit`, `quota_full`. */
    async move(given: AnyTransaction, id: string, sides: TransferSides, handOver: HandOverFiles): Promise<void> {
      const trx = inTables<ArtifactTables>(given)
      const { count } = await trx
        .selectFrom('artifacts')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', sides.toId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= mostArtifacts) throw fail('artifact_limit')
      const { numUpdatedRows } = await trx
        .updateTable('artifacts')
        .set({ account_id: sides.toId, chat_id: null })
        .where('id', '=', id)
        .where('account_id', '=', sides.fromId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) throw fail('conflict')
      await trx.updateTable('artifact_versions').set({ account_id: sides.toId }).where('artifact_id', '=', id).execute()
      await reseal(trx, id, sides)
      await trx.deleteFrom('artifact_links').where('artifact_id', '=', id).execute()
      await handOver(trx, { ids: [roomOf(id)], fromId: sides.fromId, toId: sides.toId })
      await texts.move([id], partitionOf(sides.toId), trx)
    },

    finish: (id: string, sides: TransferSides): Promise<void> =>
      database.write<ArtifactTables, void>(async (trx) => {
        const row = await trx.selectFrom('artifacts').select('account_id').where('id', '=', id).executeTakeFirst()
        if (row?.account_id === sides.toId) await reseal(trx, id, sides)
      }),

    /** Those of a chat that belongs to somebody else from now on are in no chat. */
    async detachChat(trx: AnyTransaction, chatId: string): Promise<void> {
      await inTables<ArtifactTables>(trx)
        .updateTable('artifacts')
        .set({ chat_id: null })
        .where('chat_id', '=', chatId)
        .execute()
    },
  }
}
