/** The documents that questions of a chat search, and whether there are any: most chats have none. */
import type { ChatSettings } from '@atrium/contract/chat'
import { createCache } from '../../../platform/cache/cache.ts'
import type { Documents } from '../../../core/documents/index.ts'
import type { Platform } from '../../../platform/platform.ts'

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
/** A process that ended between a change and telling of it told nobody: so long an answer counts at most. */
const longestMs = 60_000

/**
 * Keeps the answers in memory until the account's documents change, so that a question of somebody without documents
 * costs no query for a minute. Chosen collections are asked for each time: they belong to others, too.
 */
export const createDocumentScopes = (
  { clock, database }: Pick<Platform, 'clock' | 'database'>,
  documents: Pick<Documents, 'hasAny'>,
): DocumentScopes => {
  // A version for each account: what was asked before it changed stands under a key that nobody reads any more.
  const versions = createCache<number>({ max: maxAccounts, channel: { name: channel, database } })
  const answers = createCache<boolean>({ max: maxScopes, ttl: { ms: longestMs, clock } })
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
      // Where other processes cannot be told, what they know is old in a minute.
      void versions.forgetEverywhere(accountId).catch(() => undefined)
    },

    close: versions.close,
  }
}
