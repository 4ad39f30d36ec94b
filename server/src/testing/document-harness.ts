/**
 * Documents on a real database behind real HTTP, with jobs that run and the model server as the local runtime; the
 * accounts are `ann` and `bob`. What chat asks of documents can be asked here without a chat.
 */
import { type Grant, accessRoutes } from '@atrium/contract/access'
import { documentsRoutes, type EmbeddingSettingsPatch } from '@atrium/contract/documents'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { type Access, accessMigrations } from '../core/access/index.ts'
import { notificationMigrations } from '../core/notifications/index.ts'
import { createResourceRegistry } from '../core/resources/index.ts'
import { createDocuments, documentMigrations, type Documents, type DocumentsDeps } from '../core/documents/index.ts'
import type { RetrievalQuestion, SearchScope } from '../core/documents/types.ts'
import { createDurableJobs } from '../features/durable-jobs/index.ts'
import { readPrint as readBuiltin } from '../platform/reader/index.ts'
import { createSearchIndexes, searchMigrations, type SearchIndexes } from '../platform/db/search/index.ts'
import { createEventLog } from '../platform/events/event-log.ts'
import { eventMigrations } from '../platform/events/tables.ts'
import { createFiles } from '../platform/files/files.ts'
import { fileMigrations } from '../platform/files/tables.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { jobMigrations } from '../platform/jobs/tables.ts'
import type { Jobs } from '../platform/jobs/types.ts'
import { createLog } from '../platform/log/log.ts'
import { createSlot } from '../platform/slot.ts'
import { createTestNotifications } from './notifications.ts'
import { createTestAccess, createTestChats, type TestChats, principalsById } from './access.ts'
import type { Client } from './client.ts'
import { realClock } from './clock.ts'
import { type ConnectionsHarness, type ConnectionsHarnessOptions, openConnections } from './connections.ts'
import type { Open } from './databases.ts'
import { createTestGroups } from './groups.ts'
import { testPlaceMigrations } from './places.ts'

export interface DocumentHarness extends Pick<ConnectionsHarness, 'ann' | 'bob' | 'database' | 'told'> {
  readonly provider: Provider
  readonly documents: Documents
  readonly indexes: SearchIndexes
  readonly jobs: Jobs
  /** Asks as chat does: about the library, unless a scope says otherwise. */
  ask(
    accountId: string,
    text: string,
    more?: Partial<Omit<RetrievalQuestion, 'scope'>> & { scope?: Partial<SearchScope> },
  ): ReturnType<Documents['retrieve']>
  settings(client: Client, patch: EmbeddingSettingsPatch): Promise<void>
  /** Waits until every vector of an account is there, or given up. */
  embedded(client: Client): Promise<void>
  share(collectionId: string, accountId: string): Promise<Grant>
  /** Looks after documents as is done every minute, so many milliseconds from now. */
  upkeep(laterMs: number): Promise<void>
  close(): Promise<void>
}

export const openDocuments = async (
  open: Open,
  {
    describePicture = async () => ({ unavailable: 'No vision model is selected.', chosen: false }),
    readPrint = (_, bytes, signal) => readBuiltin(bytes, { signal }),
    ...options
  }: Pick<ConnectionsHarnessOptions, 'admit'> & Partial<Pick<DocumentsDeps, 'describePicture' | 'readPrint'>> = {},
): Promise<DocumentHarness> => {
  const provider = await startProvider()
  provider.control({ models: ['echo', 'meaning', 'meaning-too', 'status-400'] })
  let ahead = 0
  const clock = { ...realClock, now: () => realClock.now() + ahead }
  const log = createLog({ level: 'silent' })
  let made:
    | {
        access: Access
        documents: Documents
        indexes: SearchIndexes
        jobs: Jobs
        chats: TestChats
        stop: () => Promise<void>
      }
    | undefined
  const harness = await openConnections(open, {
    ...options,
    privateAddresses: [provider.address],
    localRuntimeUrl: provider.url,
    authorise: async (...asked) => {
      if (!made) throw new Error('The harness has no documents.')
      return await made.access.authorise(...asked)
    },
    migrations: [
      ...[...eventMigrations, ...fileMigrations, ...jobMigrations],
      ...[
        ...accessMigrations,
        ...notificationMigrations,
        ...testPlaceMigrations,
        ...searchMigrations,
        ...documentMigrations,
      ],
    ],
    areas({ database, vault, connections, outbound, told }) {
      const processId = clock.id()
      const parts = { database, vault, clock, log, processId }
      const events = createEventLog(parts)
      const jobs = createJobs({ ...parts, events, concurrency: 4, tuning: { backoffMs: 20 } })
      const resources = createResourceRegistry()
      const principals = principalsById(createTestGroups(database).groups)
      const access = createTestAccess({ resources, database, vault, clock, principals })
      const chats = createTestChats(database)
      resources.add({ chat: chats.resource })
      const indexes = createSearchIndexes({ database, vault })
      const documents = createDocuments({
        database,
        vault,
        clock,
        log,
        files: createFiles({ database, vault, clock }),
        jobs,
        indexes,
        access,
        notifications: createTestNotifications({ database, vault, clock }),
        watch: createSlot('Who waits for documents'),
        announce: async (accountId, { type }) => void told.push(`${accountId} ${type}`),
        elsewhere: outbound,
        ownsSession: async (accountId, chat) => chats.owns(accountId, chat),
        temporarySessions: async () => [],
        capability: connections.capability,
        capabilityModels: connections.capabilityModels,
        describePicture,
        readPrint,
        mayTranscribe: async () => false,
        speechModel: async () => null,
        userName: async (accountId) => accountId,
        retryPolicy: { firstMs: 5, tries: 4, longestMs: 2000 },
      })
      resources.add(documents.resources)
      const area = documents.area
      jobs.start([area.jobs ?? {}])
      made = {
        access,
        documents,
        indexes,
        jobs,
        chats,
        async stop() {
          await jobs.stop()
          await events.stop()
        },
      }
      return [
        area,
        access.area,
        createDurableJobs({ jobs, clock, processes: { list: () => [] }, namesOf: async () => new Map() }),
      ]
    },
  })
  if (!made) throw new Error('The harness has no documents.')
  const { documents, indexes, jobs, chats, stop } = made
  await chats.add('ann', 'chat-1')
  await chats.add('ann', 'chat-2')
  await chats.add('bob', 'chat-3')
  const { ann, bob, database, told } = harness

  return {
    ann,
    bob,
    database,
    told,
    provider,
    documents,
    indexes,
    jobs,
    ask: (accountId, text, { scope, ...more } = {}) =>
      documents.retrieve(
        accountId,
        {
          text,
          history: [],
          full: null,
          ask: null,
          ...more,
          scope: { sessionId: null, library: true, collectionIds: [], ...scope },
        },
        new AbortController().signal,
      ),
    async settings(client, body) {
      await client.call(documentsRoutes.updateEmbeddingSettings, { body })
    },
    async embedded(client) {
      for (const end = performance.now() + 120_000; ; ) {
        const status = await client.call(documentsRoutes.embeddingsStatus, {})
        if (status.documentsPending === 0 && status.jobId === null) return
        if (performance.now() > end) throw new Error(`${status.documentsPending} documents still wait for vectors.`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    share: (collectionId, principalId) =>
      ann.call(accessRoutes.grant, {
        body: { resourceType: 'collection', resourceId: collectionId, principalType: 'account', principalId },
      }),
    async upkeep(laterMs) {
      ahead += laterMs
      await jobs.enqueue('documents.upkeep', {}, { accountId: null })
    },
    async close() {
      await stop()
      await harness.close()
      await provider.close()
    },
  }
}
