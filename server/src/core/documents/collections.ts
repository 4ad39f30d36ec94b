/** Collections: documents put together, and shared together. */
import type { documentKnowledge } from '@atrium/contract/document-knowledge'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Owner } from '../access/index.ts'
import { scopeDigest } from './ingest/digest.ts'
import { reachableIds, type Room, tellAll, tellOfCollection } from './context.ts'
import { collectionPlaces, openCollectionName, rowToCollection, sealCollectionName, shelfOf } from './stores/index.ts'
import type { DocumentCollectionRow, DocumentRow } from './tables.ts'

type Routes = Pick<
  typeof documentKnowledge,
  'collections' | 'createCollection' | 'renameCollection' | 'removeCollection'
>

const most = 200

export const collectionHandlers = (room: Room): Handlers<Routes> => {
  const { store } = room
  const present = async (rows: readonly DocumentCollectionRow[], callerId: string) => {
    const ids = rows.map(({ id }) => id)
    const [documents, grants] = await Promise.all([
      store.collections.counts(ids),
      room.access.grantCounts('collection', ids),
    ])
    const owners = new Map<string, string | null>()
    for (const { account_id: owner } of rows) {
      if (owner !== callerId && !owners.has(owner)) owners.set(owner, await room.userName(owner))
    }
    return await Promise.all(
      rows.map(async (row) =>
        rowToCollection(await room.vault.keyring(row.account_id), row, callerId, {
          documentCount: documents.get(row.id) ?? 0,
          ownerName: owners.get(row.account_id) ?? null,
          grantCount: grants.get(row.id) ?? 0,
        }),
      ),
    )
  }
  const presentOne = async (row: DocumentCollectionRow) => {
    const [collection] = await present([row], row.account_id)
    if (!collection) throw fail('collection_not_found')
    return collection
  }
  const indexOf = (accountId: string, name: string): string =>
    room.vault.blindIndex('document_collections.name', `${accountId}\0${name.normalize('NFKC').toLowerCase()}`)

  return {
    async collections({ query }, { caller }) {
      const reachable = await reachableIds(room, caller.accountId)
      const page = await store.collections.page(caller.accountId, reachable, query.limit, query.cursor)
      return { items: await present(page.items, caller.accountId), nextCursor: page.nextCursor }
    },

    async createCollection({ body }, { caller }) {
      const { accountId } = caller
      const id = room.clock.id()
      const now = room.clock.now()
      const name = sealCollectionName(await room.vault.keyring(accountId), id, body.name)
      const row = {
        id,
        account_id: accountId,
        name,
        name_index: indexOf(accountId, body.name),
        created_at: now,
        updated_at: now,
      }
      const outcome = await store.collections.add(row, most)
      if (outcome === 'full') throw fail('collection_limit')
      if (outcome === 'taken') throw fail('collection_exists')
      await tellOfCollection(room, accountId, id)
      return await presentOne(row)
    },

    async renameCollection({ params, body }, { caller }) {
      const { accountId } = caller
      const id = params.collectionId
      const name = sealCollectionName(await room.vault.keyring(accountId), id, body.name)
      const values = { name, name_index: indexOf(accountId, body.name), updated_at: room.clock.now() }
      if (!(await store.collections.own(accountId, id))) throw fail('collection_not_found')
      const row = await store.collections.rename(accountId, id, values)
      if (row === 'gone') throw fail('collection_not_found')
      if (row === 'taken') throw fail('collection_exists')
      await tellOfCollection(room, accountId, id)
      return await presentOne(row)
    },

    async removeCollection({ params }, { caller }) {
      const { accountId } = caller
      const id = params.collectionId
      const readers = await room.access.readers('collection', id)
      if (!(await store.collections.own(accountId, id))) throw fail('collection_not_found')
      const documents: DocumentRow[] = []
      // Some at a time, so that nobody else who writes has to wait for a large collection.
      for (let empty = false; !empty; ) {
        const rows = await store.write(async (trx) => {
          const some = await store.rows.inCollection(trx, id, 100)
          for (const row of some) await toLibrary(room, trx, row)
          if (some.length < 100) {
            if (!(await store.collections.remove(trx, accountId, id))) throw fail('collection_not_found')
            await room.access.forget('collection', [id], trx)
          }
          return some
        })
        documents.push(...rows.filter((row) => row.deleted_at === null))
        empty = rows.length < 100
      }
      await tellAll(room, [accountId, ...readers], { type: 'collections-changed', data: {} })
      for (const row of documents) {
        await room.announce(accountId, { type: 'document-changed', data: { id: row.id } })
        await tellAll(room, readers, { type: 'document-removed', data: { id: row.id } })
      }
      return {}
    },
  }
}

/** The passages of a document go with it. */
const toLibrary = async (
  room: Room,
  trx: Parameters<Parameters<Room['store']['write']>[0]>[0],
  before: DocumentRow,
): Promise<void> => {
  const row = { ...before, collection_id: null }
  await room.store.rows.setPlace(trx, row)
  if (row.deleted_at === null) await room.store.rows.giveDigest(trx, row.id, scopeDigest(room.vault, row))
  await room.indexes.texts.move([row.id], shelfOf(row), trx)
}

/** How collections answer to sharing. */
export const collectionOwner = (room: Room): Owner => ({
  missing: 'collection_not_found',
  places: collectionPlaces,
  within: null,
  async describe(ids) {
    const described = new Map<string, { accountId: string; name: string }>()
    for (const row of await room.store.collections.many(ids)) {
      const name = openCollectionName(await room.vault.keyring(row.account_id), row)
      described.set(row.id, { accountId: row.account_id, name })
    }
    return described
  },
  async listOf(accountId, limit, cursor) {
    const { items, nextCursor } = await room.store.collections.page(accountId, [], limit, cursor)
    const keys = await room.vault.keyring(accountId)
    const named = items.map((row) => ({ id: row.id, name: openCollectionName(keys, row), updatedAt: row.updated_at }))
    return { items: named, nextCursor }
  },
  async changed(_collectionId, accountIds) {
    await tellAll(room, accountIds, { type: 'collections-changed', data: {} })
  },
})
