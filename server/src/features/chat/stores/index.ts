/** All SQL of the area, by noun. */
import type { Database } from '../../../platform/db/types.ts'
import { createAttachmentStore } from './attachments.ts'
import { createCitationStore } from './citations.ts'
import { createExportingStore } from './exports.ts'
import { createFolderStore } from './folders.ts'
import { createIndexingStore } from './index-entries.ts'
import { createChatLinkStore } from './links.ts'
import { createMessageStore } from './messages.ts'
import { createPinStore } from './pins.ts'
import { createQueueStore } from './queue.ts'
import { createQuoteStore } from './quotes.ts'
import { relinkStore } from './relinks.ts'
import { createReplayStore } from './replays.ts'
import { createSessionStore } from './sessions.ts'
import { createTagStore } from './tags.ts'
import { createTransferStore } from './transfers.ts'
import { createTrashStore } from './trash.ts'
import type { ChatTables } from '../tables.ts'

export type ChatStore = ReturnType<typeof createChatStore>

export const createChatStore = (database: Database) => ({
  write: <R>(work: Parameters<typeof database.write<ChatTables, R>>[0]): Promise<R> => database.write(work),
  sessions: createSessionStore(database),
  messages: createMessageStore(database),
  pins: createPinStore(database),
  quotes: createQuoteStore(database),
  relinks: relinkStore,
  replays: createReplayStore(database),
  citations: createCitationStore(database),
  folders: createFolderStore(database),
  queue: createQueueStore(database),
  attachments: createAttachmentStore(database),
  trash: createTrashStore(database),
  indexing: createIndexingStore(database),
  exporting: createExportingStore(database),
  links: createChatLinkStore(database),
  tags: createTagStore(database),
  transfers: createTransferStore(database),

  /** Deletes what an account has beside its chats and folders. */
  removeAccount: (accountId: string): Promise<void> =>
    database.write<ChatTables, void>(async (trx) => {
      await trx.deleteFrom('chat_trash').where('account_id', '=', accountId).execute()
      await trx.deleteFrom('chat_tags').where('account_id', '=', accountId).execute()
      await trx.deleteFrom('chat_drafts').where('account_id', '=', accountId).execute()
      await trx.deleteFrom('chat_attachments').where('account_id', '=', accountId).execute()
    }),
})
