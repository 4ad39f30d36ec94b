/** The documents that questions of a chat search, and whether there are any: most chats have none. */
import type { ChatSettings } from '@atrium/contract/chat'
import { createCache } from '../../../platform/cache/cache.ts'
import type { Documents } from '../../../core/documents/index.ts'
import type { Database } from '../../../platform/db/types.ts'

export type DocumentScope = Parameters<Documents['hasAny']>[1]

/** `ofProjects`: collections of the projects that the chat is in. */
export const readDocumentScope = (
  chatId: string,
  settings: ChatSettings,
  ofProjects: readonly string[] = [],
): DocumentScope => ({
  sessionId: chatId,
  library: settings.useLibrary !== false,
  collectionIds: [...new Set([...(settings.knowledgeCollectionIds ?? []), ...ofProjects])],
})

export interface DocumentScopes {
  /** Whether this scope has any document. */
  hasAny(accountId: string, scope: DocumentScope): Promise<boolean>
  /** Something about the documents or collections that an account reaches has changed. */
  invalidate(accountId: string): void
  close(): void
}

const channel = 'chat_scopes'
const maxAccounts = 5000
const maxScopes = 20_000

/**
 * Keeps the answers in memory until the account's documents change, so that a question of somebody without documents
 * costs no query. Chosen collections are asked for each time: they belong to others, too.
 */
export const createDocumentScopes = (database: Database, documents: Pick<Documents, 'hasAny'>): DocumentScopes => {
  // A version for each account: what was asked before it changed stands under a key that nobody reads any more.
  const versions = createCache<number>({ max: maxAccounts, channel: { name: channel, database } })
  const answers = createCache<boolean>({ max: maxScopes })
  let lastVersion = 0
  const versionOf = (accountId: string): number => {
    const known = versions.get(accountId)
    if (known !== undefined) return known
    versions.set(accountId, ++lastVersion)
    return lastVersion
  }
  return {
    async hasAny(accountId, scope) {
      if (scope.collectionIds.length > 0) return documents.hasAny(accountId, scope)
      const key = `${versionOf(accountId)} ${scope.sessionId} ${scope.library}`
      return await answers.load(key, () => documents.hasAny(accountId, scope))
    },

    invalidate(accountId) {
      // Where the database cannot be reached now, other processes hear of the gap.
      void versions.forgetEverywhere(accountId).catch(() => undefined)
    },

    close: versions.close,
  }
}
