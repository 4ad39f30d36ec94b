/** What the questions of a chat look in, and whether there is anything at all: most chats have no documents. */
import type { ChatSettings } from '@atrium/contract/chat'
import type { Documents } from '../../../core/documents/index.ts'
import type { Database } from '../../../platform/db/types.ts'

export type DocumentScope = Parameters<Documents['hasAny']>[1]

export const readDocumentScope = (chatId: string, settings: ChatSettings): DocumentScope => ({
  sessionId: chatId,
  library: settings.useLibrary !== false,
  collectionIds: settings.knowledgeCollectionIds ?? [],
})

export interface DocumentScopes {
  /** Whether a question of this scope has anything to look in. */
  hasAny(accountId: string, scope: DocumentScope): Promise<boolean>
  /** Something about the documents or collections that an account reaches has changed. */
  changed(accountId: string): void
  close(): void
}

const channel = 'chat_scopes'
const maxAccounts = 5000
const maxScopes = 200

/**
 * Keeps the answers in memory until the account's documents change, so that a question of somebody without documents
 * costs no query. Chosen collections are asked for each time: they belong to others, too.
 */
export const createDocumentScopes = (database: Database, documents: Pick<Documents, 'hasAny'>): DocumentScopes => {
  const known = new Map<string, Map<string, boolean>>()
  const unlisten = database.listen(
    channel,
    (accountId) => void known.delete(accountId),
    () => known.clear(),
  )
  return {
    async hasAny(accountId, scope) {
      if (scope.collectionIds.length > 0) return documents.hasAny(accountId, scope)
      const key = `${scope.sessionId} ${scope.library}`
      let mine = known.get(accountId)
      const answer = mine?.get(key)
      if (answer !== undefined) return answer
      if (!mine) {
        if (known.size >= maxAccounts) known.clear()
        known.set(accountId, (mine = new Map()))
      }
      const has = await documents.hasAny(accountId, scope)
      if (mine.size >= maxScopes) mine.clear()
      // Forgotten meanwhile, it is kept in a map that nobody reads any more.
      mine.set(key, has)
      return has
    },

    changed(accountId) {
      known.delete(accountId)
      // Other processes; where the database cannot be reached now, they hear of the gap.
      void database.notify(channel, accountId).catch(() => undefined)
    },

    close: unlisten,
  }
}
