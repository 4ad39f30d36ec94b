/**
 * How documents and collections get another owner. In the transaction only rows and names change, however much stands in
 * them: contents are sealed again afterwards, document by document.
 */
import type { Transaction } from 'kysely'
import { type AnyTransaction, inTables } from '../../platform/db/types.ts'
import type { HandOverFiles } from '../../platform/files/hand-over.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Transferable, TransferSides } from '../resources/index.ts'
import { mostCollections } from './collections.ts'
import { type DocumentContext, announceCollection, announceToAll } from './context.ts'
import { collectionNameIndex, openCollectionName, partitionOf, sealCollectionName } from './stores/index.ts'
import type { DocumentRow, DocumentTables } from './tables.ts'

type Trx = Transaction<DocumentTables>

export const documentTransfer = (context: DocumentContext): Transferable['transfer'] => {
  const { transfers } = context.store
  return {
    bytes: (id) => transfers.bytes({ id }),
    async prepare(id, sides) {
      const handOver = await context.files.prepareHandOver()
      return {
        async commit(given) {
          const trx = inTables<DocumentTables>(given)
          const row = await transfers.readIn(trx, id)
          if (row?.account_id !== sides.fromId || row.deleted_at !== null) throw fail('conflict')
          await moveDocuments(context, trx, [row], sides, { handOver, collectionId: null })
          return [{ type: 'document', id }]
        },
        done: () => announceToAll(context, [sides.fromId, sides.toId], { type: 'document-changed', data: { id } }),
        discard: async () => undefined,
      }
    },
    async finish(id, sides) {
      await transfers.resealFormer(sides.fromId)
      await transfers.finish([id], sides)
      await context.files.reseal(sides.fromId)
    },
  }
}

export const collectionTransfer = (context: DocumentContext): Transferable['transfer'] => {
  const { transfers } = context.store
  return {
    bytes: (id) => transfers.bytes({ collectionId: id }),
    async prepare(id, sides) {
      const handOver = await context.files.prepareHandOver()
      return {
        async commit(given) {
          const trx = inTables<DocumentTables>(given)
          const row = await transfers.readCollection(trx, id, sides.fromId)
          if (!row) throw fail('conflict')
          const names = freeNames(openCollectionName(sides.from, row))
          const indexes = names.map((name) => collectionNameIndex(context.vault, sides.toId, name))
          const { count, taken } = await transfers.collectionsOf(trx, sides.toId, indexes)
          const free = indexes.findIndex((index) => !taken.has(index))
          if (count >= mostCollections || free === -1) throw fail('collection_limit')
          const documents = await transfers.ofCollection(trx, id)
          const own = documents.filter(({ account_id }) => account_id === sides.fromId)
          await moveDocuments(context, trx, own, sides, { handOver, collectionId: id })
          await transfers.leaveCollection(trx, id, sides.toId)
          await transfers.moveCollection(trx, id, {
            account_id: sides.toId,
            name: sealCollectionName(sides.to, id, names[free] ?? ''),
            name_index: indexes[free] ?? '',
          })
          return [{ type: 'collection', id }]
        },
        async done() {
          for (const accountId of [sides.fromId, sides.toId]) await announceCollection(context, accountId, id)
        },
        discard: async () => undefined,
      }
    },
    async finish(id, sides) {
      await transfers.finishCollection(id, sides)
      await transfers.resealFormer(sides.fromId)
      await transfers.finish(await transfers.idsOf(id), sides)
      await context.files.reseal(sides.fromId)
    },
  }
}

/** Documents of a chat that gets another owner stay with theirs, in their library. */
export const detachDocuments =
  (context: DocumentContext) =>
  async (given: AnyTransaction, type: string, id: string): Promise<void> => {
    if (type !== 'chat') return
    for (const row of await context.store.transfers.leaveChat(inTables<DocumentTables>(given), id))
      await context.indexes.texts.move([row.id], partitionOf(row), given)
  }

/** Refuses with `conflict` while one of them is being read, which would write with the former key. */
const moveDocuments = async (
  context: DocumentContext,
  trx: Trx,
  rows: readonly DocumentRow[],
  sides: TransferSides,
  { handOver, collectionId }: { readonly handOver: HandOverFiles; readonly collectionId: string | null },
): Promise<void> => {
  if (rows.some(({ state }) => state === 'queued' || state === 'processing')) throw fail('conflict')
  const fileIds = rows.flatMap(({ file_id }) => file_id ?? [])
  await handOver(trx, { ids: fileIds, fromId: sides.fromId, toId: sides.toId })
  await context.store.transfers.move(trx, rows, sides, collectionId)
  const moved = rows.map((row) => ({ id: row.id, partition: partitionOf(placeIn(row, sides.toId, collectionId)) }))
  for (const [partition, same] of Map.groupBy(moved, ({ partition: name }) => name))
    await context.indexes.texts.move(
      same.map(({ id }) => id),
      partition,
      trx,
    )
}

const placeIn = (row: DocumentRow, accountId: string, collectionId: string | null) => ({
  state: row.state,
  deleted_at: null,
  account_id: accountId,
  session_id: null,
  collection_id: collectionId,
})

/** An account has one collection of a name: another one gets a number. */
const freeNames = (name: string): string[] => [name, ...Array.from({ length: 20 }, (_, at) => `${name} (${at + 2})`)]
