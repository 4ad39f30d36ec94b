/** The area of chats, as `compose()` creates it. */
import { chatArea } from '@atrium/contract/chat'
import type { Access } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Connections } from '../../core/connections/index.ts'
import type { Documents, DocumentsDeps } from '../../core/documents/index.ts'
import type { Gallery, Generations, WebSearch } from '../../core/generation/index.ts'
import type { Mail } from '../../core/mail/index.ts'
import type { Notifications } from '../../core/notifications/index.ts'
import type { PresenceArea } from '../../core/presence/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import type { Tools } from '../../core/tools/index.ts'
import type { Usage } from '../../core/usage/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Slot } from '../../platform/slot.ts'
import { chatMigrations, chatSealed, chatSettings, createChats, indexJob, purgeJob, temporaryJob } from './index.ts'

interface Needs {
  readonly access: Access
  readonly accounts: Accounts
  readonly connections: Connections
  readonly documents: Documents & {
    readonly ownsSession: Slot<DocumentsDeps['ownsSession']>
    readonly temporarySessions: Slot<DocumentsDeps['temporarySessions']>
  }
  readonly generation: Generations
  readonly mail: Mail
  readonly notifications: Notifications
  readonly presence: PresenceArea
  readonly settings: Settings
  readonly tools: Tools
  readonly usage: Usage
  readonly 'media-gallery': Gallery
  readonly 'web-search': WebSearch
}

export const chat = defineArea(chatArea)<Needs>()({
  needs: [
    'access',
    'accounts',
    'connections',
    'documents',
    'generation',
    'mail',
    'media-gallery',
    'notifications',
    'presence',
    'settings',
    'tools',
    'usage',
    'web-search',
  ],
  migrations: chatMigrations,
  sealed: chatSealed,
  settings: chatSettings,
  create(platform, needs, { compaction, FULL_DOCUMENT_CONTEXT_MAX_TOKENS, TEMPORARY_CHAT_HOURS }) {
    const { accounts, access, connections, documents, generation, mail, settings, tools, usage } = needs
    const chats = createChats({
      ...platform,
      access,
      documents,
      generations: generation,
      tools,
      answerNotices: { isPresent: needs.presence.isPresent, publisher: needs.notifications.publisher },
      texts: platform.indexes.texts,
      userName: async (accountId) => (await accounts.accountNames.names([accountId])).get(accountId) ?? null,
      displayName: async (accountId) => (await accounts.user(accountId))?.displayName ?? null,
      linksAllowed: (ownerId) => access.features.allows('chat-links', ownerId),
      passwords: accounts.passwords,
      address: mail.address,
      fullDocumentTokens: FULL_DOCUMENT_CONTEXT_MAX_TOKENS,
      temporaryChatHours: TEMPORARY_CHAT_HOURS,
      compaction,
      web: needs['web-search'],
      gallery: needs['media-gallery'],
      resolveModel: connections.resolve,
      listModels: connections.listModels,
      preferences: settings.preferencesOf,
      modelUsed: settings.rememberModel,
      costOf: ({ providerId, model }, tokens) => usage.costOf(providerId ?? 'local', model, tokens),
    })
    documents.ownsSession.fill(chats.owns)
    documents.temporarySessions.fill(chats.listTemporary)
    return {
      ...chats.area,
      api: chats,
      tools: chats.tools,
      // Chats keep in memory what there is to look in.
      on: {
        'document-changed': chats.documentsChanged,
        'document-removed': chats.documentsChanged,
        'collections-changed': chats.documentsChanged,
      },
      every: [
        [purgeJob, 24 * 3600_000],
        [temporaryJob, 10 * 60_000],
        [indexJob, 10 * 60_000],
      ],
      resources: chats.resources,
      start: chats.recover,
      async listening() {
        await platform.jobs.enqueue(indexJob, {}, { accountId: null, key: indexJob, keyUntil: 'ended' })
      },
      drain: chats.stop,
    }
  },
})
