/** The threads that somebody follows: they wrote in them, are named there, or chose to. */
import { z } from 'zod'
import { Id, page } from '../common.ts'
import { routes } from '../route.ts'
import { OfMessage } from './parts.ts'
import { ChannelMessage, mostUnread } from './shapes.ts'

const UnreadCount = z.number().int().min(0).max(mostUnread)

export const FollowedThread = z.strictObject({
  /** The message that began it. */
  root: ChannelMessage,
  /** The last replies, in reading order. */
  latest: z.array(ChannelMessage),
  /** What the caller has read: all up to the message of this number. */
  readSeq: z.number().int(),
  /** Replies of others after that; at most `mostUnread`. */
  unreadCount: UnreadCount,
})
export type FollowedThread = z.infer<typeof FollowedThread>

export const threads = routes({
  threads: {
    method: 'get',
    path: '/api/channels/threads',
    access: 'user',
    summary: 'List the threads you follow in all channels, unread ones first, then by last reply',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(50).default(20),
      cursor: z.string().max(500).optional(),
    }),
    returns: page(FollowedThread).extend({
      /** In how many of all there are unread replies; at most `mostUnread`. */
      unreadCount: UnreadCount,
    }),
    errors: ['bad_cursor'],
  },
  markThreadRead: {
    method: 'post',
    path: '/api/channels/messages/{messageId}/read',
    access: 'user',
    names: 'own',
    summary:
      'Mark a followed thread as read, entirely or up to a message. `unreadFrom` marks messages as unread and follows the thread',
    params: OfMessage,
    body: z
      .strictObject({
        /** The last message that was on screen. */
        upTo: Id.optional(),
        /** The first message that is to be unread again. */
        unreadFrom: Id.optional(),
      })
      .refine(({ upTo, unreadFrom }) => upTo === undefined || unreadFrom === undefined, 'give one of the two'),
    /** `readSeq` is null where the caller does not follow the thread: nothing is noted then. */
    returns: z.strictObject({ readSeq: z.number().int().nullable(), unreadCount: UnreadCount }),
    errors: ['channel_message_not_found'],
  },
})
