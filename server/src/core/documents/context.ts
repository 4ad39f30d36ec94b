/** The context that the modules of the area share. */
import type { EmbeddingSettings } from '@atrium/contract/documents'
import type { AccountEvent } from '@atrium/contract/system'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { DocumentStore, DocumentReach } from './stores/index.ts'
import type { DocumentRow } from './tables.ts'
import type { DocumentsDeps } from './types.ts'

export interface DocumentContext extends DocumentsDeps {
  readonly store: DocumentStore
  /** How an account's documents are cut and searched. */
  readonly settingsOf: (accountId: string) => Promise<EmbeddingSettings>
  /** Has what lacks vectors get them, in its own time. */
  readonly embedLater: (accountId: string) => Promise<void>
}

/** Ids of the collections of others that an account may read now. */
export const reachableIds = async (context: Pick<DocumentContext, 'access'>, accountId: string): Promise<string[]> =>
  (await context.access.listReachable(accountId, 'collection')).map(({ resourceId }) => resourceId)

/** What of others an account may read now: collections, and documents one by one. */
export const readReach = async (
  context: Pick<DocumentContext, 'access'>,
  accountId: string,
): Promise<DocumentReach> => {
  const [collections, documents] = await Promise.all([
    context.access.listReachable(accountId, 'collection'),
    context.access.listReachable(accountId, 'document'),
  ])
  const ids = (reached: readonly { readonly resourceId: string }[]) => reached.map(({ resourceId }) => resourceId)
  return { collections: ids(collections), documents: ids(documents) }
}

/** Tells whoever waits for documents in its collection, within the transaction that puts it there. Gives whether anybody does. */
export const noteCollected = async (
  { watch }: Pick<DocumentContext, 'watch'>,
  trx: AnyTransaction,
  { id, collection_id, session_id, state }: DocumentRow,
): Promise<boolean> =>
  collection_id !== null && session_id === null && state === 'completed'
    ? ((await watch.value?.note(trx, { collectionId: collection_id, documentId: id })) ?? false)
    : false

/** Tells the owner of a document and everybody who reads it, by itself or with what it lies in. */
export const announceDocument = async (
  context: Pick<DocumentContext, 'access' | 'announce'>,
  row: Pick<DocumentRow, 'id' | 'account_id' | 'collection_id'>,
  type: 'document-changed' | 'document-removed',
): Promise<void> => {
  const readers = await Promise.all([
    context.access.listReaders('document', row.id),
    row.collection_id === null ? [] : context.access.listReaders('collection', row.collection_id),
  ])
  await announceToAll(context, [row.account_id, ...readers.flat()], { type, data: { id: row.id } })
}

/** Tells the owner of a collection and everybody who reads it that collections changed. */
export const announceCollection = async (
  context: Pick<DocumentContext, 'access' | 'announce'>,
  accountId: string,
  collectionId: string,
): Promise<void> =>
  announceToAll(context, [accountId, ...(await context.access.listReaders('collection', collectionId))], {
    type: 'collections-changed',
    data: {},
  })

export const announceToAll = async (
  context: Pick<DocumentContext, 'announce'>,
  accountIds: readonly string[],
  event: AccountEvent,
): Promise<void> => {
  for (const accountId of new Set(accountIds)) await context.announce(accountId, event)
}
