/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'
import { OptionalWords } from '../notifications/words.ts'

export const chatDescription = describeArea({
  name: 'chat',
  tag: 'chat',
  errors: {
    message_not_found: [404, 'Message not found.'],
    folder_not_found: [404, 'Project not found.'],
    queue_entry_not_found: [404, 'This queued prompt was already sent or removed.'],
    generation_not_found: [404, 'Generation not found.'],
    summary_not_found: [404, 'There is no summary to undo.'],
    attachment_not_found: [404, 'Attachment not found.'],
    generation_running: [409, 'An answer is being written in this chat. Stop it first, or queue the prompt.'],
    queue_full: [409, 'You can queue at most 20 prompts.'],
    pin_limit: [409, 'You can pin at most 100 messages in a chat. Unpin one first.'],
    folder_limit: [409, 'You can have at most 100 projects.'],
    folder_too_deep: [409, 'A project can’t be inside itself, and projects can be at most five levels deep.'],
    tag_not_found: [404, 'Tag not found.'],
    tag_limit: [409, 'You can have at most 200 tags.'],
    chat_tag_limit: [409, 'A chat can have at most 20 tags.'],
    attachment_unsupported: [
      415,
      'Only plain text, Markdown and images can be attached to a message. Add other files as documents.',
    ],
    nothing_to_compact: [422, 'There isn’t enough conversation to summarise yet.'],
    nothing_to_continue: [422, 'Only an interrupted, stopped or cut-off answer can be continued.'],
    chat_links_off: [403, 'Sharing chats by link is turned off. Ask an administrator.'],
    chat_link_not_found: [404, 'This link was revoked, or it has expired.'],
    chat_link_password: [403, 'Incorrect password.'],
    chat_link_locked: [429, 'Too many incorrect passwords. Try again in an hour.'],
    chat_link_limit: [409, 'A chat can have at most 20 links. Revoke one first.'],
    web_search_unavailable: [422, 'Web search is off, or you don’t have access to it. Ask an administrator.'],
  },
  events: {
    'chat-changed': z.strictObject({ id: z.string() }),
    'chat-removed': z.strictObject({ id: z.string() }),
    'folders-changed': z.strictObject({}),
    /** `names`: a tag is called otherwise or gone, in chats of which nothing else is told. */
    'tags-changed': z.strictObject({ names: z.boolean() }),
    /** A chat of somebody else that the account may read has changed. */
    'shared-chat-changed': z.strictObject({ id: z.string() }),
  },
  notifications: {
    /** A long answer ended while whoever asked was away. `name`: of the chat, where it has one. */
    'answer-finished': z.strictObject({
      chatId: z.string(),
      messageId: z.string(),
      name: OptionalWords,
      failed: z.boolean(),
    }),
  },
  audit: ['tool.decide'],
  jobs: ['chat.index', 'chat.purge-trash', 'chat.remove-temporary'],
  scopes: ['read', 'write'],
  resources: {
    chat: { shared: true, found: true, trashed: true, transferable: true, counted: 'chats' },
    message: { found: true, trashed: true, stored: true, counted: 'messages' },
    folder: { shared: true, trashed: true, transferable: true },
  },
})
