/** What the parts of the area share. */
import type { EmbeddingSettings } from '@atrium/contract/document-knowledge'
import type { AccountEvent } from '@atrium/contract/system'
import type { DocumentStore, Reach } from './stores/index.ts'
import type { DocumentRow } from './tables.ts'
import type { DocumentsDeps } from './types.ts'

export interface Room extends DocumentsDeps {
  readonly store: DocumentStore
  /** How an account's documents are cut and searched. */
  readonly settingsOf: (accountId: string) => Promise<EmbeddingSettings>
  /** Has what lacks vectors get them, in its own time. */
  readonly embedLater: (accountId: string) => Promise<void>
}

/** Ids of the collections of others that an account may read now. */
export const reachableIds = async (room: Pick<Room, 'access'>, accountId: string): Promise<string[]> =>
  (await room.access.reachable(accountId, 'collection')).map(({ resourceId }) => resourceId)

/** What of others an account may read now: collections, and documents one by one. */
export const reachOf = async (room: Pick<Room, 'access'>, accountId: string): Promise<Reach> => {
  const [collections, documents] = await Promise.all([
    room.access.reachable(accountId, 'collection'),
    room.access.reachable(accountId, 'document'),
  ])
  const ids = (reached: readonly { readonly resourceId: string }[]) => reached.map(({ resourceId }) => resourceId)
  return { collections: ids(collections), documents: ids(documents) }
}

/** Tells the owner of a document and everybody who reads it, by itself or with what it lies in. */
export const tellOf = async (
  room: Pick<Room, 'access' | 'announce'>,
  row: Pick<DocumentRow, 'id' | 'account_id' | 'collection_id'>,
  type: 'document-changed' | 'document-removed',
): Promise<void> => {
  const readers = await Promise.all([
    room.access.readers('document', row.id),
    row.collection_id === null ? [] : room.access.readers('collection', row.collection_id),
  ])
  await tellAll(room, [row.account_id, ...readers.flat()], { type, data: { id: row.id } })
}

/** Tells the owner of a collection and everybody who reads it that collections changed. */
export const tellOfCollection = async (
  room: Pick<Room, 'access' | 'announce'>,
  accountId: string,
  collectionId: string,
): Promise<void> =>
  tellAll(room, [accountId, ...(await room.access.readers('collection', collectionId))], {
    type: 'collections-changed',
    data: {},
  })

export const tellAll = async (
  room: Pick<Room, 'announce'>,
  accountIds: readonly string[],
  event: AccountEvent,
): Promise<void> => {
  for (const accountId of new Set(accountIds)) await room.announce(accountId, event)
}
