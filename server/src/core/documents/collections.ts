/** Collections: documents put together, and shared together. */
import type { documentsRoutes } from '@atrium/contract/documents'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { reachableIds, type DocumentContext, announceCollection } from './context.ts'
import { collectionNameIndex, rowToCollection, sealCollectionName } from './stores/index.ts'
import type { DocumentCollectionRow } from './tables.ts'
import { trashCollection } from './trash.ts'

type Routes = Pick<typeof documentsRoutes, 'collections' | 'createCollection' | 'renameCollection' | 'removeCollection'>

/** So many an account can have. */
export const mostCollections = 200

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
  return {
    async collections({ query }, { caller }) {
      const reachable = await reachableIds(context, caller.accountId)
      const page = await store.collections.page(caller.accountId, reachable, query.limit, query.cursor)
      return { items: await toCollections(page.items, caller.accountId), nextCursor: page.nextCursor }
    },

    async createCollection({ body }, { caller }) {
      const { accountId } = caller
      const row = await addCollection(context, accountId, body.name)
      if (row === 'full') throw fail('collection_limit')
      if (row === 'taken') throw fail('collection_exists')
      return await presentOne(row)
    },

    async renameCollection({ params, body }, { caller }) {
      const { accountId } = caller
      const id = params.collectionId
      const name = sealCollectionName(await context.vault.keyring(accountId), id, body.name)
      const values = {
        name,
        name_index: collectionNameIndex(context.vault, accountId, body.name),
        updated_at: context.clock.now(),
      }
      if (!(await store.collections.readOwn(accountId, id))) throw fail('collection_not_found')
      const row = await store.collections.rename(accountId, id, values)
      if (row === 'gone') throw fail('collection_not_found')
      if (row === 'taken') throw fail('collection_exists')
      await announceCollection(context, accountId, id)
      return await presentOne(row)
    },

    async removeCollection({ params }, { caller }) {
      await trashCollection(context, caller.accountId, params.collectionId)
      return {}
    },
  }
}

/** Makes a collection for another area: where the name is taken, a number is put behind it. null: there are too many. */
export const makeCollection = async (
  context: DocumentContext,
  accountId: string,
  name: string,
): Promise<string | null> => {
  for (let n = 1; n <= mostCollections; n++) {
    const row = await addCollection(context, accountId, n === 1 ? name.slice(0, 100) : `${name.slice(0, 95)} ${n}`)
    if (row === 'full') return null
    if (row !== 'taken') return row.id
  }
  return null
}

/** Adds a collection, where there is room for one more and none of this name. */
const addCollection = async (
  context: DocumentContext,
  accountId: string,
  name: string,
): Promise<DocumentCollectionRow | 'full' | 'taken'> => {
  const id = context.clock.id()
  const now = context.clock.now()
  const row = {
    id,
    account_id: accountId,
    name: sealCollectionName(await context.vault.keyring(accountId), id, name),
    name_index: collectionNameIndex(context.vault, accountId, name),
    created_at: now,
    updated_at: now,
    deleted_at: null,
  }
  const outcome = await context.store.collections.add(row, mostCollections)
  if (outcome !== 'added') return outcome
  await announceCollection(context, accountId, id)
  return row
}
