/**
 * Documents: files and pages of an account, read into text that answers quote from, put together in collections, and
 * shared. Everything of them is sealed with the keys of their owner. It refuses to show a document that is not read to
 * its end, and to let anybody but its owner change one.
 */
import { documentsRoutes } from '@atrium/contract/documents'
import { bindRoutes } from '../../platform/http/area.ts'
import { collectionHandlers, collectionOwner } from './collections.ts'
import { createEmbeddings, embedKind } from './embeddings/index.ts'
import { readingJob } from './ingest/job.ts'
import { readingKind } from './ingest/kind.ts'
import { createDocumentSearch } from './search.ts'
import { describeDocuments } from './retrieval/attached-documents.ts'
import { createHasAny, createRetrieve, createWaitUntilRead } from './retrieval/index.ts'
import { searchHandlers } from './retrieval/handlers.ts'
import type { DocumentContext } from './context.ts'
import { documentOwner } from './sharing.ts'
import { documentHandlers } from './handlers.ts'
import { settingsHandlers } from './settings.ts'
import { createSettingsStore } from './stores/settings.ts'
import { createDocumentStore } from './stores/index.ts'
import { documentMigrations } from './tables.ts'
import type { Documents, DocumentsDeps } from './types.ts'
import { uploadHandlers } from './uploads.ts'
import { exportDocuments } from './export.ts'
import {
  removeAccount,
  removeSessions,
  failAllOrphaned,
  maintenanceEveryMs,
  maintenanceJob,
  maintenanceKind,
} from './maintenance.ts'

export { documentMigrations } from './tables.ts'
export type { Documents, DocumentsDeps } from './types.ts'

export const createDocuments = (deps: DocumentsDeps): Documents => {
  const settings = createSettingsStore(deps)
  const context: DocumentContext = {
    ...deps,
    store: createDocumentStore(deps),
    settingsOf: settings.read,
    embedLater: (accountId) => embeddings.schedule(accountId),
  }
  const embeddings = createEmbeddings(context, deps.retryPolicy)
  deps.access.registerOwner('collection', collectionOwner(context))
  deps.access.registerOwner('document', documentOwner(context))
  const area = bindRoutes({
    name: 'document-knowledge',
    routes: documentsRoutes,
    handlers: {
      ...uploadHandlers(context),
      ...documentHandlers(context),
      ...collectionHandlers(context),
      ...searchHandlers(context),
      ...settingsHandlers({ ...deps, settings, changed: embeddings.applySettings }),
      ...embeddings.handlers,
    },
    jobs: {
      [readingKind]: readingJob(context),
      [embedKind]: embeddings.job,
      [maintenanceKind]: maintenanceJob(context, embeddings.resume),
    },
    migrations: documentMigrations,
  })
  return {
    area,
    retrieve: createRetrieve(context),
    hasAny: createHasAny(context),
    waitUntilRead: createWaitUntilRead(context),
    describeDocuments: (accountId, sessionId, ids) => describeDocuments(context, accountId, sessionId, ids),
    find: createDocumentSearch(context),
    removeSessions: (sessionIds) => removeSessions(context, sessionIds),
    async countOf(accountId) {
      const collections = await context.store.collections.idsOf(accountId)
      return { documents: await context.store.rows.count(accountId), collections: collections.length }
    },
    exportOf: (accountId, signal) => exportDocuments(context, accountId, signal),
    removeAccount: (accountId, trx) => removeAccount(context, accountId, trx),
    async recover() {
      await failAllOrphaned(context, undefined, 0)
      await deps.jobs.every(maintenanceKind, {}, maintenanceEveryMs)
    },
  }
}
