/** All statements about channels, by what they are about. */
import type { Database } from '../../../platform/db/types.ts'
import { createAcquaintanceStore } from './acquaintances.ts'
import { createAnswerStore } from './answers.ts'
import { createAttachmentStore } from './attachments.ts'
import { createChannelStore } from './channels.ts'
import { createDraftStore } from './drafts.ts'
import { createLaterStore } from './later.ts'
import { createHistoryStore } from './history.ts'
import { createMemberStore } from './members.ts'
import { createMentionStore } from './mentions.ts'
import { createMessageStore } from './messages.ts'
import { createPreferenceStore } from './preferences.ts'
import { createReactionStore } from './reactions.ts'
import { createThreadStore } from './threads.ts'
import { createUnreadStore } from './unread.ts'

export type ChannelStores = ReturnType<typeof createChannelStores>

export const createChannelStores = (database: Database) => {
  const attachments = createAttachmentStore(database)
  return {
    acquaintances: createAcquaintanceStore(database),
    answers: createAnswerStore(database),
    attachments,
    channels: createChannelStore(database),
    drafts: createDraftStore(database),
    later: createLaterStore(database, attachments),
    history: createHistoryStore(database),
    members: createMemberStore(database),
    mentions: createMentionStore(database),
    messages: createMessageStore(database),
    preferences: createPreferenceStore(database),
    reactions: createReactionStore(database),
    threads: createThreadStore(database),
    unread: createUnreadStore(database),
  }
}
