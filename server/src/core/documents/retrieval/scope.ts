/** Whom a question may look at: its scope with every id checked at this moment. */
import { fail } from '../../../platform/http/refusal.ts'
import { reachableIds, type DocumentContext } from '../context.ts'
import { type OpenScope, partitionOf } from '../stores/index.ts'
import type { SearchScope } from '../types.ts'

/** What the account may not read (any more) is left out. */
export const openScope = async (
  context: DocumentContext,
  accountId: string,
  scope: SearchScope,
): Promise<OpenScope> => {
  const { sessionId, library, documentIds } = scope
  const wanted = [...new Set(scope.collectionIds)]
  const [ownsSession, own, reached, single] = await Promise.all([
    sessionId !== null && context.ownsSession(accountId, sessionId),
    context.store.collections.ownOf(accountId, wanted),
    wanted.length > 0 ? reachableIds(context, accountId) : [],
    library ? singleOf(context, accountId) : [],
  ])
  const mayRead = new Set([...own, ...reached])
  return {
    accountId,
    library,
    documentIds,
    single,
    sessionId: ownsSession ? sessionId : null,
    collectionIds: wanted.filter((id) => mayRead.has(id)),
  }
}

/** Documents of others that the account reaches one by one: they count for its library. */
const singleOf = async (context: DocumentContext, accountId: string): Promise<OpenScope['single']> => {
  const ids = (await context.access.listReachable(accountId, 'document')).map(({ resourceId }) => resourceId)
  return (await context.store.rows.readMany(ids)).map((row) => ({ id: row.id, partition: partitionOf(row) }))
}

/** Refuses with `chat_not_found` and `collection_not_found` what is not there for the account. */
export const requireScope = async (context: DocumentContext, accountId: string, scope: SearchScope): Promise<void> => {
  const open = await openScope(context, accountId, scope)
  if (open.sessionId !== scope.sessionId) throw fail('chat_not_found')
  if (open.collectionIds.length < new Set(scope.collectionIds).size) throw fail('collection_not_found')
}

/** All collections that an account may read: its own, and those of others. */
export const everyCollection = async (context: DocumentContext, accountId: string): Promise<string[]> => {
  const [own, reached] = await Promise.all([
    context.store.collections.idsOf(accountId),
    reachableIds(context, accountId),
  ])
  return [...new Set([...own, ...reached])]
}
