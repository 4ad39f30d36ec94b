/** The area of documents, as `compose()` creates it. */
import { documentsArea } from '@atrium/contract/documents'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createSlot } from '../../platform/slot.ts'
import type { Access } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Connections } from '../connections/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { Settings } from '../settings/index.ts'
import { createDocumentRecorder, documentMetrics } from './metrics.ts'
import { createDescribePicture } from './ingest/describe-picture.ts'
import { createReadPrint } from './ingest/read-print.ts'
import type { EventWatch } from '../../platform/areas/event-watch.ts'
import type { CollectedDocument } from './types.ts'
import { type DocumentsDeps, createDocuments, documentMigrations, documentSealed } from './index.ts'

interface Needs {
  readonly access: Access
  readonly accounts: Accounts
  readonly connections: Connections
  readonly notifications: Notifications
  readonly settings: Settings
}

export const documents = defineArea(documentsArea)<Needs>()({
  needs: ['access', 'accounts', 'connections', 'notifications', 'settings'],
  migrations: documentMigrations,
  sealed: documentSealed,
  metrics: () => documentMetrics,
  create(platform, { access, accounts, connections, notifications, settings }) {
    const ownsSession = createSlot<DocumentsDeps['ownsSession']>('Who owns a chat')
    const temporarySessions = createSlot<DocumentsDeps['temporarySessions']>('Which chats are temporary')
    const watch = createSlot<EventWatch<CollectedDocument>>('Who waits for documents')
    const documents = createDocuments({
      ...platform,
      watch,
      recorder: platform.metrics && createDocumentRecorder(platform.metrics),
      access,
      notifications,
      ownsSession: (accountId, sessionId) => ownsSession.get()(accountId, sessionId),
      temporarySessions: (accountId) => temporarySessions.get()(accountId),
      capability: connections.capability,
      capabilityModels: connections.capabilityModels,
      describePicture: createDescribePicture(connections, settings),
      readPrint: createReadPrint(settings),
      speechModel: async (accountId) => (await settings.preferencesOf(accountId)).speechModel,
      userName: async (accountId) => (await accounts.accountNames.names([accountId])).get(accountId) ?? null,
      mayTranscribe: (accountId) => access.features.allows('voice-input', accountId),
    })
    return {
      ...documents.area,
      api: { ...documents, ownsSession, temporarySessions, watch },
      tools: documents.tools,
      resources: documents.resources,
      start: documents.recover,
    }
  },
})
