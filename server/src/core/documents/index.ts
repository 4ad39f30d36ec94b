/**
 * Documents: files and pages of an account, read into text that answers quote from, put together in collections, and
 * shared. Everything of them is sealed with the keys of their owner. It refuses to show a document that is not read to
 * its end, and to let anybody but its owner change one.
 */
import { documentKnowledge } from '@atrium/contract/document-knowledge'
import { defineArea } from '../../platform/http/area.ts'
import type { JobHandler } from '../../platform/jobs/types.ts'
import { collectionHandlers, collectionOwner } from './collections.ts'
import { createEmbeddings, embedKind } from './embeddings/index.ts'
import { readingJob } from './ingest/job.ts'
import { readingKind } from './ingest/kind.ts'
import { createFind } from './search.ts'
import { namesOf } from './retrieval/attached-documents.ts'
import { createHasAny, createRetrieve, createSettled } from './retrieval/index.ts'
import { searchHandlers } from './retrieval/handlers.ts'
import type { Room } from './context.ts'
import { documentOwner } from './sharing.ts'
import { documentHandlers } from './handlers.ts'
import { settingsHandlers } from './settings.ts'
import { createSettingsStore } from './stores/settings.ts'
import { createDocumentStore } from './stores/index.ts'
import { documentMigrations } from './tables.ts'
import type { Documents, DocumentsDeps } from './types.ts'
import { uploadHandlers } from './uploads.ts'
import { exportDocuments } from './export.ts'
import { removeAccount, removeSessions, settleWaiting, upkeepEveryMs, upkeepJob, upkeepKind } from './maintenance.ts'

export { documentMigrations } from './tables.ts'
export type { Documents, DocumentsDeps } from './types.ts'

export const createDocuments = (deps: DocumentsDeps): Documents => {
  const settings = createSettingsStore(deps)
  const room: Room = {
    ...deps,
    store: createDocumentStore(deps),
    settingsOf: settings.read,
    embedLater: (accountId) => embeddings.later(accountId),
  }
  const embeddings = createEmbeddings(room, deps.patience)
  deps.access.registerOwner('collection', collectionOwner(room))
  deps.access.registerOwner('document', documentOwner(room))
  const area = defineArea({
    name: 'document-knowledge',
    routes: documentKnowledge,
    handlers: {
      ...uploadHandlers(room),
      ...documentHandlers(room),
      ...collectionHandlers(room),
      ...searchHandlers(room),
      ...settingsHandlers({ ...deps, settings, changed: embeddings.changed }),
      ...embeddings.handlers,
    },
    // Payloads are parsed before `run`, so handlers may stand in a list that forgets their types.
    jobs: {
      [readingKind]: readingJob(room) as unknown as JobHandler<never>,
      [embedKind]: embeddings.job as unknown as JobHandler<never>,
      [upkeepKind]: upkeepJob(room, embeddings.resume) as unknown as JobHandler<never>,
    },
    migrations: documentMigrations,
  })
  return {
    area,
    retrieve: createRetrieve(room),
    hasAny: createHasAny(room),
    settled: createSettled(room),
    named: (accountId, sessionId, ids) => namesOf(room, accountId, sessionId, ids),
    find: createFind(room),
    removeSessions: (sessionIds) => removeSessions(room, sessionIds),
    async countOf(accountId) {
      const collections = await room.store.collections.idsOf(accountId)
      return { documents: await room.store.rows.count(accountId), collections: collections.length }
    },
    exportOf: (accountId, signal) => exportDocuments(room, accountId, signal),
    removeAccount: (accountId, trx) => removeAccount(room, accountId, trx),
    async recover() {
      await settleWaiting(room, undefined, 0)
      await deps.jobs.every(upkeepKind, {}, upkeepEveryMs)
    },
  }
}
