/** What is said in a channel: messages, threads, reactions, pins and files. */
import { z } from 'zod'
import { ClientId, Id, Nothing, Selection } from '../common.ts'
import { bytes, routes } from '../route.ts'
import { Emoji, InChannel, mostMessageLetters, OfMessage, readable } from './parts.ts'
import { ChannelAttachment, ChannelEvent, ChannelMessage, ThreadNotices } from './shapes.ts'

export const mostMessageFiles = 10
export const mostFileBytes = 10 * 1024 * 1024
export const mostPins = 100
export const mostModels = 3

const Content = z.string().max(mostMessageLetters)
const limit = z.coerce.number().int().min(1).max(100).default(50)
/** Messages in reading order. */
const Stretch = z.strictObject({
  items: z.array(ChannelMessage),
  /** Gives the ones before; null at the beginning. */
  nextCursor: z.string().nullable(),
  /** Whether there are newer ones: `after` the last of these gives them. */
  hasNewer: z.boolean(),
})

export const messages = routes({
  messages: {
    method: 'get',
    path: '/api/channels/{channelId}/messages',
    access: 'user',
    names: readable,
    summary:
      'List the messages of a channel in reading order, without threads: the latest, or those before a cursor, after a message or around one',
    params: InChannel,
    query: z
      .strictObject({ limit, cursor: z.string().max(500).optional(), after: Id.optional(), around: Id.optional() })
      .refine(
        ({ cursor, after, around }) => [cursor, after, around].filter((one) => one !== undefined).length <= 1,
        'give one of cursor, after and around',
      ),
    returns: Stretch.extend({
      /** Where the events go on after what was read here: `after` of the stream. */
      eventSeq: z.number().int(),
    }),
    errors: ['channel_not_found', 'channel_message_not_found', 'bad_cursor'],
  },
  post: {
    method: 'post',
    path: '/api/channels/{channelId}/messages',
    access: 'user',
    limit: 'channel',
    names: readable,
    summary: 'Post a message in a channel or thread. Sending the same id again returns the stored message',
    params: InChannel,
    body: z.strictObject({
      id: ClientId.optional(),
      /** Markdown. Empty only where there are files. */
      content: Content,
      /** What it answers: a message that is no reply itself. */
      parentId: Id.optional(),
      /** A reply that goes to the channel, too. */
      inChannel: z.boolean().optional(),
      attachmentIds: z.array(Id).max(mostMessageFiles).optional(),
      /** Each answers in the thread, with the access, the keys and the budget of whoever writes. */
      models: z.array(Selection).max(mostModels).optional(),
    }),
    returns: ChannelMessage,
    errors: [
      'channel_not_found',
      'channel_muted',
      'channel_archived',
      'channel_message_not_found',
      'channel_attachment_not_found',
      'id_reused',
      'model_unavailable',
    ],
  },
  forward: {
    method: 'post',
    path: '/api/channels/messages/{messageId}/forward',
    access: 'user',
    limit: 'channel',
    names: 'own',
    summary:
      'Forward a message’s text, and copies of its files, to another channel with your message. Only members of its own channel can open the original',
    params: OfMessage,
    body: z.strictObject({ channelId: Id, id: ClientId.optional(), content: Content.optional() }),
    returns: ChannelMessage,
    errors: [
      'channel_message_not_found',
      'channel_not_found',
      'channel_muted',
      'channel_archived',
      'channel_attachment_not_found',
      'quota_full',
      'id_reused',
    ],
  },
  edit: {
    method: 'patch',
    path: '/api/channels/messages/{messageId}',
    access: 'user',
    limit: 'channel',
    names: 'own',
    summary: 'Edit your message. It is marked as edited for everyone',
    params: OfMessage,
    body: z.strictObject({
      content: Content,
      /** Of the version that was read: another one in the meantime is told instead of overwritten. */
      editedAt: ChannelMessage.shape.editedAt.optional(),
    }),
    returns: ChannelMessage,
    errors: ['channel_message_not_found', 'right_missing', 'channel_archived', 'conflict'],
  },
  remove: {
    method: 'delete',
    path: '/api/channels/messages/{messageId}',
    access: 'user',
    names: 'own',
    summary:
      'Delete your message, or anyone’s as an owner or moderator. Text, files and reactions are deleted permanently',
    params: OfMessage,
    returns: Nothing,
    errors: ['channel_message_not_found', 'right_missing'],
  },
  thread: {
    method: 'get',
    path: '/api/channels/messages/{messageId}/thread',
    access: 'user',
    names: 'own',
    summary: 'Get a message and its replies in reading order: the latest, or those before a cursor',
    params: OfMessage,
    query: z.strictObject({ limit, cursor: z.string().max(500).optional() }),
    returns: Stretch.omit({ hasNewer: true }).extend({
      root: ChannelMessage,
      notices: ThreadNotices,
      /** All up to the message of this number is read; null: the caller does not follow the thread. */
      readSeq: z.number().int().nullable(),
    }),
    errors: ['channel_message_not_found', 'bad_cursor'],
  },
  react: {
    method: 'post',
    path: '/api/channels/messages/{messageId}/reactions',
    access: 'user',
    limit: 'channel',
    names: 'own',
    summary: 'React to a message with an emoji. Reacting again changes nothing',
    params: OfMessage,
    body: z.strictObject({ emoji: Emoji }),
    returns: ChannelMessage,
    errors: ['channel_message_not_found', 'channel_archived', 'channel_reaction_limit'],
  },
  unreact: {
    method: 'delete',
    path: '/api/channels/messages/{messageId}/reactions/{emoji}',
    access: 'user',
    names: 'own',
    summary: 'Remove your reaction',
    params: OfMessage.extend({ emoji: Emoji }),
    returns: ChannelMessage,
    errors: ['channel_message_not_found', 'channel_reaction_not_found', 'channel_archived'],
  },
  pin: {
    method: 'post',
    path: '/api/channels/messages/{messageId}/pin',
    access: 'user',
    names: 'own',
    summary: 'Pin or unpin a message, as an owner or moderator. In direct messages, anyone can',
    params: OfMessage,
    body: z.strictObject({ pinned: z.boolean().default(true) }),
    returns: ChannelMessage,
    errors: ['channel_message_not_found', 'right_missing', 'channel_archived', 'channel_pin_limit'],
  },
  pins: {
    method: 'get',
    path: '/api/channels/{channelId}/pins',
    access: 'user',
    names: readable,
    summary: 'List pinned messages, most recently pinned first',
    params: InChannel,
    returns: z.strictObject({ items: z.array(ChannelMessage), nextCursor: z.null() }),
    errors: ['channel_not_found'],
  },
  attach: {
    method: 'post',
    path: '/api/channels/{channelId}/attachments',
    access: 'user',
    limit: 'upload',
    names: readable,
    summary: 'Upload one file, raw, for a message you are about to send. Unsent files are deleted after an hour',
    params: InChannel,
    query: z.strictObject({ name: z.string().trim().min(1).max(255) }),
    upload: { maxBytes: mostFileBytes },
    returns: ChannelAttachment,
    errors: ['channel_not_found', 'channel_archived', 'channel_file_unsupported', 'too_large', 'quota_full'],
  },
  attachment: {
    method: 'get',
    path: '/api/channels/attachments/{attachmentId}',
    access: 'user',
    names: 'own',
    summary: 'Download a file as a member of its channel',
    params: z.strictObject({ attachmentId: Id }),
    returns: bytes,
    errors: ['channel_attachment_not_found'],
  },
  events: {
    method: 'get',
    path: '/api/channels/{channelId}/events',
    access: 'user',
    names: readable,
    summary: 'Follow a channel’s events from any point. Ends when you lose access to the channel',
    params: InChannel,
    query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }),
    returns: z.never(),
    stream: ChannelEvent,
    errors: ['channel_not_found'],
  },
})
