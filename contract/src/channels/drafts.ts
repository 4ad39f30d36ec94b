/** What somebody typed in a channel or a thread and did not send, on every device. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'
import { routes } from '../route.ts'
import { InChannel, mostMessageLetters, readable } from './parts.ts'

export const ChannelDraft = z.strictObject({
  channelId: Id,
  /** The message that begins the thread; null: the channel itself. */
  parentId: Id.nullable(),
  content: z.string(),
  /** Of two, the later one counts; no two of a place are equal. */
  updatedAt: Time,
})
export type ChannelDraft = z.infer<typeof ChannelDraft>

export const drafts = routes({
  drafts: {
    method: 'get',
    path: '/api/channels/drafts',
    access: 'user',
    summary: 'List your drafts in channels and threads, newest first, at most 500',
    returns: z.strictObject({ items: z.array(ChannelDraft), nextCursor: z.null() }),
  },
  saveDraft: {
    method: 'put',
    path: '/api/channels/{channelId}/draft',
    access: 'user',
    names: readable,
    summary: 'Save your draft for a channel or thread, replacing the last one. An empty text deletes it',
    params: InChannel,
    body: z.strictObject({ content: z.string().max(mostMessageLetters), parentId: Id.optional() }),
    returns: z.strictObject({ updatedAt: Time }),
    errors: ['channel_not_found', 'channel_message_not_found'],
  },
})
