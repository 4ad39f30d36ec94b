/** What somebody missed in a channel, for them alone; nothing of it is kept. */
import { z } from 'zod'
import { Id } from '../common.ts'
import { routes } from '../route.ts'
import { InChannel, readable } from './parts.ts'
import { ChannelMessage } from './shapes.ts'

/** So many messages are read at most, the latest ones. */
export const mostCatchUpMessages = 300

export const ChannelCatchUp = z.strictObject({
  /** The name of the model that wrote the sentences; null: none did. */
  model: z.string().nullable(),
  /** Why a model that is there wrote none, as a code; null where it did, or where there is none. */
  failure: z.string().nullable(),
  /** What happened, each with the message that it rests on; in a thread where it has a `parentId`. */
  sentences: z.array(z.strictObject({ text: z.string(), messageId: Id, parentId: Id.nullable() })),
  /** Messages that name the caller or call them, the first ten. */
  mentions: z.array(ChannelMessage),
  /** The threads with most unread replies, at most five; with their first message. */
  threads: z.array(z.strictObject({ root: ChannelMessage, unreadCount: z.number().int() })),
  /** How many unread messages the model read, replies in threads included; without one, how many there are, up to `mostCatchUpMessages`. */
  messageCount: z.number().int(),
  /** Whether those are all that are unread. */
  isComplete: z.boolean(),
})
export type ChannelCatchUp = z.infer<typeof ChannelCatchUp>

export const catchUps = routes({
  catchUp: {
    method: 'post',
    path: '/api/channels/{channelId}/catch-up',
    access: 'user',
    limit: 'generate',
    names: readable,
    summary:
      'Summarise what you haven’t read, with your default model, access, keys and budget; without a model, list mentions and the longest threads. Nothing is stored or marked as read',
    params: InChannel,
    body: z.strictObject({
      /** Of what comes after the message of this number; without it, of what is unread. */
      afterSeq: z.number().int().min(0).optional(),
    }),
    returns: ChannelCatchUp,
    errors: ['channel_not_found'],
  },
})
