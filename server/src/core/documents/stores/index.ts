/** Everything of documents in the database. Sealed with the keys of whoever owns a document; opened with the same. */
import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import type { DocumentTables } from '../tables.ts'
import { createCollectionRows } from './collections.ts'
import { createContentStore } from './contents.ts'
import { createDocumentRows } from './documents.ts'
import { createScopeStore } from './scope.ts'
import { createStoredFiles } from './stored-files.ts'
import { createTransferStore } from './transfers.ts'
import { createEmbeddingStates } from './embedding-states.ts'

export { collectionPlaces } from './collections.ts'
export { textPiece } from './contents.ts'
export { documentPlaces, placeOf, type DocumentReach } from './documents.ts'
export type { OpenScope, ScopeTally } from './scope.ts'
export * from './rows.ts'

export const createDocumentStore = (deps: { database: Database; vault: Vault }) => ({
  rows: createDocumentRows(deps.database),
  scope: createScopeStore(deps.database),
  contents: createContentStore(deps),
  collections: createCollectionRows(deps.database),
  vectors: createEmbeddingStates(deps.database),
  files: createStoredFiles(deps.database),
  transfers: createTransferStore(deps),
  write: <R>(work: (trx: Transaction<DocumentTables>) => Promise<R>): Promise<R> =>
    deps.database.write<DocumentTables, R>(work),
})
export type DocumentStore = ReturnType<typeof createDocumentStore>
