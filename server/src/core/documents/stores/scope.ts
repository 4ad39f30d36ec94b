/** SQL of what an account may look in: its documents by chat, library and collections, and those of shared collections. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { DocumentRow, DocumentTables } from '../tables.ts'
import { partitionOf } from './rows.ts'

/** A scope whose ids were checked: the chat is the account's own, the collections are its own or reached by a grant. */
export interface OpenScope {
  readonly accountId: string
  readonly sessionId: string | null
  readonly library: boolean
  readonly collectionIds: readonly string[]
  /** Documents of others that are reached one by one, each with its partition. */
  readonly single: readonly { readonly id: string; readonly partition: string }[]
  /** Only these of the documents; absent for all. */
  readonly documentIds?: readonly string[] | undefined
}

/** How many documents of a scope are in which state. */
export interface ScopeTally {
  readonly completed: number
  readonly processing: number
  readonly failed: number
  readonly tokens: number
  readonly embeddingPending: number
  readonly embeddingFailed: number
}

export const createScopeStore = (database: Database) => {
  const tables = database.tables<DocumentTables>()

  return {
    /** The partitions to search, for the queries of the indexes. */
    partitions: ({ accountId, sessionId, library, collectionIds }: Omit<OpenScope, 'single'>): string[] => [
      ...(sessionId === null ? [] : [partitionOf({ ...ownLibrary, account_id: accountId, session_id: sessionId })]),
      ...(library ? [partitionOf({ ...ownLibrary, account_id: accountId })] : []),
      ...collectionIds.map((id) => partitionOf({ ...ownLibrary, account_id: accountId, collection_id: id })),
    ],

    /** Where to look for the documents of others that are reached one by one: in their partitions, for them alone. */
    places: ({
      single,
      documentIds,
    }: Pick<OpenScope, 'single' | 'documentIds'>): { partitions: string[]; groups: string[] } => {
      const found = single.filter(({ id }) => documentIds === undefined || documentIds.includes(id))
      return { partitions: [...new Set(found.map(({ partition }) => partition))], groups: found.map(({ id }) => id) }
    },

    /** The documents of a scope that words can find, in order of upload; of every owner. */
    async completedIn(scope: OpenScope, limit: number): Promise<DocumentRow[]> {
      return tables
        .selectFrom('documents')
        .selectAll()
        .where(within(scope))
        .where('state', '=', 'completed')
        .orderBy('uploaded_at')
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    async tally(scope: OpenScope): Promise<ScopeTally> {
      const rows = await tables
        .selectFrom('documents')
        .select(['state', 'embedding_state'])
        .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number>('tokens').as('tokens')])
        .where(within(scope))
        .groupBy(['state', 'embedding_state'])
        .execute()
      const count = (is: (row: (typeof rows)[number]) => boolean): number =>
        rows.reduce((sum, row) => (is(row) ? sum + Number(row.count) : sum), 0)
      return {
        completed: count((row) => row.state === 'completed'),
        processing: count((row) => row.state === 'queued' || row.state === 'processing'),
        failed: count((row) => row.state === 'failed'),
        tokens: rows.reduce((sum, row) => (row.state === 'completed' ? sum + Number(row.tokens ?? 0) : sum), 0),
        embeddingPending: count((row) => row.state === 'completed' && row.embedding_state === 'pending'),
        embeddingFailed: count((row) => row.state === 'completed' && row.embedding_state === 'failed'),
      }
    },

    /** The chats of an account that have documents. */
    async sessionsOf(accountId: string, limit: number): Promise<string[]> {
      const rows = await tables
        .selectFrom('documents')
        .select('session_id')
        .distinct()
        .where('account_id', '=', accountId)
        .where('session_id', 'is not', null)
        .where('deleted_at', 'is', null)
        .limit(limit)
        .execute()
      return rows.flatMap(({ session_id }) => session_id ?? [])
    },

    /** Documents of a scope whose vectors are all there, but of another model. */
    async embeddedOtherwise(scope: OpenScope, model: string): Promise<number> {
      const { count } = await tables
        .selectFrom('documents')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(within(scope))
        .where('state', '=', 'completed')
        .where('embedding_state', '=', 'done')
        .where('embedding_model', '!=', model)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

const ownLibrary = { session_id: null, collection_id: null, state: 'completed', deleted_at: null } as const

/** The condition that a document belongs to a scope. */
const within =
  ({ accountId, sessionId, library, collectionIds, single, documentIds }: OpenScope) =>
  (eb: ExpressionBuilder<DocumentTables, 'documents'>) => {
    const places: Expression<SqlBool>[] = []
    if (sessionId !== null) places.push(eb.and([eb('account_id', '=', accountId), eb('session_id', '=', sessionId)]))
    if (library) {
      places.push(
        eb.and([eb('account_id', '=', accountId), eb('session_id', 'is', null), eb('collection_id', 'is', null)]),
      )
    }
    if (collectionIds.length > 0) {
      places.push(eb.and([eb('collection_id', 'in', collectionIds), eb('session_id', 'is', null)]))
    }
    if (single.length > 0)
      places.push(
        eb(
          'id',
          'in',
          single.map(({ id }) => id),
        ),
      )
    return eb.and([
      eb('deleted_at', 'is', null),
      eb.or(places),
      ...(documentIds === undefined ? [] : [documentIds.length === 0 ? eb.lit(false) : eb('id', 'in', documentIds)]),
    ])
  }
