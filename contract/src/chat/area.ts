/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const chatDescription = describeArea({
  name: 'chat',
  tag: 'chat',
  errors: {
    message_not_found: [404, 'There is no such message.'],
    folder_not_found: [404, 'There is no such folder.'],
    queue_entry_not_found: [404, 'This queued prompt is gone: it was sent or removed.'],
    generation_not_found: [404, 'There is no such generation.'],
    summary_not_found: [404, 'There is no summary here that could be undone.'],
    attachment_not_found: [404, 'There is no such attachment.'],
    generation_running: [409, 'An answer is being written in this chat. Stop it first, or queue the prompt.'],
    approval_not_found: [
      404,
      'Nothing waits for this decision any more: it was made elsewhere, or the answer has ended.',
    ],
    queue_full: [409, 'The queue holds 20 prompts at most.'],
    folder_limit: [409, 'There can be 100 folders at most.'],
    attachment_unsupported: [415, 'Only plain text, Markdown and images can be attached for now.'],
    nothing_to_compact: [422, 'There is not enough conversation to summarise yet.'],
    nothing_to_continue: [422, 'Only an interrupted, stopped or cut-off answer can be continued.'],
    web_search_unavailable: [422, 'The web cannot be searched here, or you may not. Ask an administrator.'],
  },
  events: {
    'chat-changed': z.strictObject({ id: z.string() }),
    'chat-removed': z.strictObject({ id: z.string() }),
    'folders-changed': z.strictObject({}),
    /** A chat of somebody else that the account may read has changed. */
    'shared-chat-changed': z.strictObject({ id: z.string() }),
  },
  audit: ['tool.decide'],
  jobs: ['chat.index', 'chat.purge-trash', 'chat.remove-temporary'],
  scopes: ['read', 'write'],
  resources: {
    chat: { shared: true, found: true, trashed: true, counted: 'chats' },
    message: { found: true, trashed: true, counted: 'messages' },
    folder: { shared: true, trashed: true },
  },
})
