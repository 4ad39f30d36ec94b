/** Collections: documents put together, and shared together. */
import type { documentsRoutes } from '@atrium/contract/documents'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Owner } from '../access/index.ts'
import { scopeDigest } from './ingest/digest.ts'
import { reachableIds, type DocumentContext, announceToAll, announceCollection } from './context.ts'
import { collectionPlaces, openCollectionName, rowToCollection, sealCollectionName, shelfOf } from './stores/index.ts'
import type { DocumentCollectionRow, DocumentRow } from './tables.ts'

type Routes = Pick<typeof documentsRoutes, 'collections' | 'createCollection' | 'renameCollection' | 'removeCollection'>

const most = 200

export const collectionHandlers = (context: DocumentContext): Handlers<Routes> => {
  const { store } = context
  const toCollections = async (rows: readonly DocumentCollectionRow[], callerId: string) => {
    const ids = rows.map(({ id }) => id)
    const [documents, grants] = await Promise.all([
      store.collections.counts(ids),
      context.access.countGrants('collection', ids),
    ])
    const owners = new Map<string, string | null>()
    for (const { account_id: owner } of rows) {
      if (owner !== callerId && !owners.has(owner)) owners.set(owner, await context.userName(owner))
    }
    return await Promise.all(
      rows.map(async (row) =>
        rowToCollection(await context.vault.keyring(row.account_id), row, callerId, {
          documentCount: documents.get(row.id) ?? 0,
          ownerName: owners.get(row.account_id) ?? null,
          grantCount: grants.get(row.id) ?? 0,
        }),
      ),
    )
  }
  const presentOne = async (row: DocumentCollectionRow) => {
    const [collection] = await toCollections([row], row.account_id)
    if (!collection) throw fail('collection_not_found')
    return collection
  }
  const indexOf = (accountId: string, name: string): string =>
    context.vault.blindIndex('document_collections.name', `${accountId}\0${name.normalize('NFKC').toLowerCase()}`)

  return {
    async collections({ query }, { caller }) {
      const reachable = await reachableIds(context, caller.accountId)
      const page = await store.collections.page(caller.accountId, reachable, query.limit, query.cursor)
      return { items: await toCollections(page.items, caller.accountId), nextCursor: page.nextCursor }
    },

    async createCollection({ body }, { caller }) {
      const { accountId } = caller
      const id = context.clock.id()
      const now = context.clock.now()
      const name = sealCollectionName(await context.vault.keyring(accountId), id, body.name)
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
      await announceCollection(context, accountId, id)
      return await presentOne(row)
    },

    async renameCollection({ params, body }, { caller }) {
      const { accountId } = caller
      const id = params.collectionId
      const name = sealCollectionName(await context.vault.keyring(accountId), id, body.name)
      const values = { name, name_index: indexOf(accountId, body.name), updated_at: context.clock.now() }
      if (!(await store.collections.readOwn(accountId, id))) throw fail('collection_not_found')
      const row = await store.collections.rename(accountId, id, values)
      if (row === 'gone') throw fail('collection_not_found')
      if (row === 'taken') throw fail('collection_exists')
      await announceCollection(context, accountId, id)
      return await presentOne(row)
    },

    async removeCollection({ params }, { caller }) {
      const { accountId } = caller
      const id = params.collectionId
      const readers = await context.access.listReaders('collection', id)
      if (!(await store.collections.readOwn(accountId, id))) throw fail('collection_not_found')
      const documents: DocumentRow[] = []
      // Some at a time, so that nobody else who writes has to wait for a large collection.
      for (let empty = false; !empty; ) {
        const rows = await store.write(async (trx) => {
          const some = await store.rows.inCollection(trx, id, 100)
          for (const row of some) await toLibrary(context, trx, row)
          if (some.length < 100) {
            if (!(await store.collections.remove(trx, accountId, id))) throw fail('collection_not_found')
            await context.access.removeGrants('collection', [id], trx)
          }
          return some
        })
        documents.push(...rows.filter((row) => row.deleted_at === null))
        empty = rows.length < 100
      }
      await announceToAll(context, [accountId, ...readers], { type: 'collections-changed', data: {} })
      for (const row of documents) {
        await context.announce(accountId, { type: 'document-changed', data: { id: row.id } })
        await announceToAll(context, readers, { type: 'document-removed', data: { id: row.id } })
      }
      return {}
    },
  }
}

/** The passages of a document go with it. */
const toLibrary = async (
  context: DocumentContext,
  trx: Parameters<Parameters<DocumentContext['store']['write']>[0]>[0],
  before: DocumentRow,
): Promise<void> => {
  const row = { ...before, collection_id: null }
  await context.store.rows.setPlace(trx, row)
  if (row.deleted_at === null) await context.store.rows.giveDigest(trx, row.id, scopeDigest(context.vault, row))
  await context.indexes.texts.move([row.id], shelfOf(row), trx)
}

/** How collections answer to sharing. */
export const collectionOwner = (context: DocumentContext): Owner => ({
  missing: 'collection_not_found',
  places: collectionPlaces,
  within: null,
  async describe(ids) {
    const described = new Map<string, { accountId: string; name: string }>()
    for (const row of await context.store.collections.readMany(ids)) {
      const name = openCollectionName(await context.vault.keyring(row.account_id), row)
      described.set(row.id, { accountId: row.account_id, name })
    }
    return described
  },
  async listOf(accountId, limit, cursor) {
    const { items, nextCursor } = await context.store.collections.page(accountId, [], limit, cursor)
    const keys = await context.vault.keyring(accountId)
    const named = items.map((row) => ({ id: row.id, name: openCollectionName(keys, row), updatedAt: row.updated_at }))
    return { items: named, nextCursor }
  },
  async changed(_collectionId, accountIds) {
    await announceToAll(context, accountIds, { type: 'collections-changed', data: {} })
  },
})
