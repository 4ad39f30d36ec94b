/** What a chat can read along that is here already: documents, collections, other chats. */
import { chatRoutes } from '@atrium/contract/chat'
import { documentsRoutes } from '@atrium/contract/documents'
import { call } from '../../../api/client.ts'
import type { DraftBox } from '../../../blocks/composer/draft.ts'
import { titleToFileName } from '../../../lib/file-name.ts'
import { saveSettings } from '../open/edit.ts'
import type { OpenChat } from '../open/store.ts'

/** Attaches a copy of a document that one has or may read. */
export function attachDocument(draft: DraftBox, { id, filename }: { id: string; filename: string }): void {
  draft.bring(filename, (sessionId, signal) =>
    call(documentsRoutes.copy, { params: { documentId: id }, body: { sessionId } }, { signal }),
  )
}

/** Attaches what was said in another chat, as it is exported to be read. */
export async function attachChat(draft: DraftBox, { id, title }: { id: string; title: string }): Promise<void> {
  const said = await call(chatRoutes.export, { params: { sessionId: id }, query: { format: 'markdown' } })
  const name = `${titleToFileName(title, 'chat')}.md`
  draft.attach([new File([said], name, { type: 'text/markdown' })])
}

/** Has questions of a chat look in a collection. */
export const searchCollection = (chat: OpenChat, collectionId: string): Promise<void> =>
  saveSettings(chat, (now) => ({
    ...now,
    knowledgeCollectionIds: [...(now.knowledgeCollectionIds ?? []).filter((id) => id !== collectionId), collectionId],
  }))

/** Has questions of a chat look in a collection no more. */
export const leaveCollection = (chat: OpenChat, collectionId: string): Promise<void> =>
  saveSettings(chat, (now) => {
    const rest = (now.knowledgeCollectionIds ?? []).filter((id) => id !== collectionId)
    return { ...now, knowledgeCollectionIds: rest.length > 0 ? rest : undefined }
  })
