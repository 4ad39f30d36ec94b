/** SQL of how far the vectors of documents are. The vectors themselves are in the index. */
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import type { DocumentRow, DocumentTables } from '../tables.ts'

export interface EmbeddingTally {
  readonly documents: number
  readonly totalChunks: number
  readonly embeddedChunks: number
  readonly documentsPending: number
  readonly documentsFailed: number
}

export const createEmbeddingStates = (database: Database) => {
  const tables = database.tables<DocumentTables>()
  const on = (trx: AnyTransaction | undefined) => (trx ? inTables<DocumentTables>(trx) : tables)

  return {
    /** Says how far a document is, unless it was read anew or deleted meanwhile; then false. */
    async setEmbedding(
      { id, revision }: Pick<DocumentRow, 'id' | 'revision'>,
      values: Partial<Pick<DocumentRow, 'embedding_state' | 'embedded' | 'embedding_model'>>,
      trx?: AnyTransaction,
    ): Promise<boolean> {
      const { numUpdatedRows } = await on(trx)
        .updateTable('documents')
        .set(values)
        .where('id', '=', id)
        .where('revision', '=', revision)
        .where('state', '=', 'completed')
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Puts all completed documents of an account into a state, with no vectors counted. */
    async setEveryEmbedding(
      accountId: string,
      state: DocumentRow['embedding_state'],
      trx?: AnyTransaction,
    ): Promise<void> {
      await on(trx)
        .updateTable('documents')
        .set({ embedding_state: state, embedded: 0, embedding_model: null })
        .where('account_id', '=', accountId)
        .where('state', '=', 'completed')
        .execute()
    },

    /**
     * Has the completed documents wait for vectors of a model that have none of it; with `failed`, also those that it
     * failed on.
     */
    async awaitModel(accountId: string, model: string, { failed = false } = {}): Promise<void> {
      await tables
        .updateTable('documents')
        .set({ embedding_state: 'pending', embedded: 0, embedding_model: model })
        .where('account_id', '=', accountId)
        .where('state', '=', 'completed')
        .where((eb) =>
          eb.or([
            eb('embedding_state', '=', 'off'),
            eb('embedding_model', 'is', null),
            eb('embedding_model', '!=', model),
            ...(failed ? [eb('embedding_state', '=', 'failed')] : []),
          ]),
        )
        .execute()
    },

    /** Documents of everybody that are not found yet, or by their words alone. */
    async countUnfound(): Promise<{ waiting: number; failed: number; withoutVectors: number }> {
      const rows = await tables
        .selectFrom('documents')
        .select(['state', 'embedding_state'])
        .select((by) => by.fn.countAll<number>().as('count'))
        .where('deleted_at', 'is', null)
        .where((by) => by.or([by('state', '!=', 'completed'), by('embedding_state', 'in', ['pending', 'failed'])]))
        .groupBy(['state', 'embedding_state'])
        .execute()
      const sum = (some: typeof rows) => some.reduce((total, { count }) => total + Number(count), 0)
      const completed = rows.filter(({ state }) => state === 'completed')
      const failed = rows.filter(({ state }) => state === 'failed')
      return {
        waiting: sum(rows) - sum(completed) - sum(failed),
        failed: sum(failed),
        withoutVectors: sum(completed),
      }
    },

    /** Accounts with documents that wait for vectors. */
    async accountsWaiting(limit: number): Promise<string[]> {
      const rows = await tables
        .selectFrom('documents')
        .select('account_id')
        .distinct()
        .where('state', '=', 'completed')
        .where('embedding_state', '=', 'pending')
        .where('deleted_at', 'is', null)
        .limit(limit)
        .execute()
      return rows.map(({ account_id }) => account_id)
    },

    /** Completed documents of an account in a state of their vectors, oldest first. */
    async ofEmbedding(accountId: string, state: DocumentRow['embedding_state'], limit: number): Promise<DocumentRow[]> {
      return tables
        .selectFrom('documents')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('state', '=', 'completed')
        .where('embedding_state', '=', state)
        .where('deleted_at', 'is', null)
        .orderBy('uploaded_at')
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    /** Completed documents of an account that were cut otherwise than the settings say now. */
    async cutOtherwise(accountId: string, size: number, overlap: number, limit: number): Promise<DocumentRow[]> {
      return tables
        .selectFrom('documents')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('state', '=', 'completed')
        .where('deleted_at', 'is', null)
        .where((eb) => eb.or([eb('chunk_size', '!=', size), eb('chunk_overlap', '!=', overlap)]))
        .orderBy('uploaded_at')
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    async embeddingTally(accountId: string): Promise<EmbeddingTally> {
      const rows = await tables
        .selectFrom('documents')
        .select('embedding_state')
        .select((eb) => [
          eb.fn.countAll<number>().as('documents'),
          eb.fn.sum<number>('chunks').as('chunks'),
          eb.fn.sum<number>('embedded').as('embedded'),
        ])
        .where('account_id', '=', accountId)
        .where('state', '=', 'completed')
        .where('deleted_at', 'is', null)
        .groupBy('embedding_state')
        .execute()
      const documents = (state: DocumentRow['embedding_state']): number =>
        Number(rows.find((row) => row.embedding_state === state)?.documents ?? 0)
      return {
        documents: rows.reduce((sum, row) => sum + Number(row.documents), 0),
        totalChunks: rows.reduce((sum, row) => sum + Number(row.chunks ?? 0), 0),
        embeddedChunks: rows.reduce((sum, row) => sum + Number(row.embedded ?? 0), 0),
        documentsPending: documents('pending'),
        documentsFailed: documents('failed'),
      }
    },
  }
}
