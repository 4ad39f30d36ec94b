/**
 * Documents: files and pages of an account, read into text that answers quote from, put together in collections, and
 * shared. Everything of them is sealed with the keys of their owner. It refuses to show a document that is not read to
 * its end, and to let anybody but its owner change one.
 */
import { documentsRoutes } from '@atrium/contract/documents'
import { bindRoutes } from '../../platform/http/area.ts'
import { collectionHandlers, makeCollection } from './collections.ts'
import { createEmbeddings, embedKind } from './embeddings/index.ts'
import { readingJob } from './ingest/job.ts'
import { readingKind } from './ingest/kind.ts'
import { describeDocuments } from './retrieval/attached-documents.ts'
import { createHasAny, createRetrieve, createWaitUntilRead } from './retrieval/index.ts'
import { searchHandlers } from './retrieval/handlers.ts'
import { type DocumentContext, reachableIds } from './context.ts'
import { documentResources } from './resources.ts'
import { documentHandlers } from './handlers.ts'
import { settingsHandlers } from './settings.ts'
import { createSettingsStore } from './stores/settings.ts'
import { createDocumentStore, openName } from './stores/index.ts'
import { documentMigrations } from './tables.ts'
import { documentTools } from './tools.ts'
import type { Documents, DocumentsDeps } from './types.ts'
import { findOriginals, listOriginals, openOriginal } from './originals.ts'
import { uploadHandlers } from './uploads.ts'
import { removeSessions, failAllOrphaned, maintenanceEveryMs, maintenanceJob, maintenanceKind } from './maintenance.ts'

export { documentMigrations, documentSealed } from './tables.ts'
export type { CollectedDocument, Documents, DocumentsDeps } from './types.ts'

export const createDocuments = (deps: DocumentsDeps): Documents => {
  const settings = createSettingsStore(deps)
  const context: DocumentContext = {
    ...deps,
    store: createDocumentStore(deps),
    settingsOf: settings.read,
    embedLater: (accountId) => embeddings.schedule(accountId),
  }
  const embeddings = createEmbeddings(context, deps.retryPolicy)
  const handlers = documentHandlers(context)
  const area = bindRoutes({
    name: 'document-knowledge',
    routes: documentsRoutes,
    handlers: {
      ...uploadHandlers(context),
      ...handlers,
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
  const find = createRetrieve(context)
  const { recorder } = deps
  recorder?.watch(context.store.vectors.countUnfound)
  const retrieve: Documents['retrieve'] = recorder
    ? (...question) => recorder.timeRetrieval(() => find(...question))
    : find
  return {
    area,
    tools: documentTools(context, handlers, retrieve),
    resources: documentResources(context),
    retrieve,
    hasAny: createHasAny(context),
    waitUntilRead: createWaitUntilRead(context),
    describeDocuments: (accountId, sessionId, ids) => describeDocuments(context, accountId, sessionId, ids),
    makeCollection: (accountId, name) => makeCollection(context, accountId, name),
    ownsCollection: async (accountId, id) => (await context.store.collections.readOwn(accountId, id)) !== null,
    readsCollection: (accountId, id) => readsCollection(context, accountId, id),
    async readCollected(accountId, { collectionId, documentId }) {
      const row = await context.store.rows.listLive(documentId)
      if (row?.collection_id !== collectionId || row.state !== 'completed') return null
      if (!(await readsCollection(context, accountId, collectionId))) return null
      return { name: openName(await deps.vault.keyring(row.account_id), row) }
    },
    findOriginals: (accountId, sessionId, ids) => findOriginals(context, accountId, sessionId, ids),
    openOriginal: (accountId, sessionId, id) => openOriginal(context, accountId, sessionId, id),
    listOriginals: (accountId, sessionId) => listOriginals(context, accountId, sessionId),
    removeSessions: (sessionIds) => removeSessions(context, sessionIds),
    countUnfound: () => context.store.vectors.countUnfound(),
    async recover() {
      await failAllOrphaned(context, undefined, 0)
      await deps.jobs.every(maintenanceKind, {}, maintenanceEveryMs)
    },
  }
}

const readsCollection = async (context: DocumentContext, accountId: string, id: string): Promise<boolean> =>
  (await context.store.collections.readOwn(accountId, id)) !== null ||
  (await reachableIds(context, accountId)).includes(id)
