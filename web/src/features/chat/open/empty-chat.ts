import type { Chat } from '@atrium/contract/chat'
import { emptyDraft } from '../../../blocks/composer/draft-rules.ts'

type Beginning = Pick<Chat, 'id' | 'title' | 'selection' | 'folderId' | 'expiresAt'> & { readonly now: string }

/** A chat in which nothing was said yet. `now` is a time as the server writes it. */
export function createEmptyChat({ id, title, selection, folderId, expiresAt, now }: Beginning): Chat {
  return {
    id,
    title,
    titleSource: 'default',
    selection,
    folderId,
    pinned: false,
    archived: false,
    runningGenerationId: null,
    needsAnswer: false,
    failed: false,
    unread: false,
    shared: false,
    tags: [],
    expiresAt,
    ownerName: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    settings: {},
    activeLeafId: null,
    messageCount: 0,
    pinnedCount: 0,
    forkedFrom: null,
    messages: { items: [], nextCursor: null },
    queue: [],
    queuePaused: false,
    draft: emptyDraft,
  }
}
