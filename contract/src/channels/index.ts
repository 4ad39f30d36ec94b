/** Channels: rooms and direct messages of accounts with each other. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Nothing, page } from '../common.ts'
import { routes } from '../route.ts'
import { plainLine } from '../plain-line.ts'
import { answers } from './answers.ts'
import { channelsDescription } from './area.ts'
import { catchUps, ChannelCatchUp } from './catch-up.ts'
import { ChannelDraft, drafts } from './drafts.ts'
import { later, MessageReminder, ScheduledMessage } from './later.ts'
import { members } from './members.ts'
import { mentions } from './mentions.ts'
import { messages } from './messages.ts'
import { InChannel, readable } from './parts.ts'
import { preferences } from './preferences.ts'
import {
  Channel,
  ChannelAnswer,
  ChannelAnswerEvent,
  ChannelAttachment,
  ChannelCircle,
  ChannelEvent,
  ChannelHistory,
  ChannelMember,
  ChannelMention,
  ChannelMessage,
  ChannelNotices,
  ChannelPerson,
  ChannelReaction,
  ThreadNotices,
} from './shapes.ts'
import { FollowedThread, threads } from './threads.ts'
import { ChannelTyping, typing } from './typing.ts'

export * from './shapes.ts'
export { longestMuteMs } from './preferences.ts'
export { mostUnasked } from './mentions.ts'
export { ChannelTyping } from './typing.ts'
export { mostCatchUpMessages, type ChannelCatchUp } from './catch-up.ts'
export type { FollowedThread } from './threads.ts'
export type { ChannelDraft } from './drafts.ts'
export { longestLaterMs, mostScheduled, type ScheduledMessage } from './later.ts'
export { mostFileBytes, mostMessageFiles, mostModels, mostPins } from './messages.ts'
export { mostMessageLetters } from './parts.ts'

export const mostChannelNameLetters = 80
export const mostTopicLetters = 250
export const mostDescriptionLetters = 500
/** Of a group, without whoever makes it. */
export const mostOthers = 8

const Name = z
  .string()
  .trim()
  .min(1)
  .max(mostChannelNameLetters)
  .regex(plainLine, 'leave out line breaks and hidden marks')
const Topic = z.string().trim().max(mostTopicLetters).regex(plainLine, 'leave out line breaks and hidden marks')
const Description = z.string().trim().max(mostDescriptionLetters)
const ChannelPageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(200),
  cursor: z.string().max(500).optional(),
})
const owned = { resource: 'channel', id: 'channelId', right: 'owner' } as const

const channels = routes({
  list: {
    method: 'get',
    path: '/api/channels',
    access: 'user',
    summary: 'List your channels and direct messages with unread counts, most recently active first',
    query: ChannelPageQuery,
    returns: page(Channel),
    errors: ['bad_cursor'],
  },
  create: {
    method: 'post',
    path: '/api/channels',
    access: 'user',
    summary: 'Create a channel. You become its first owner',
    body: z.strictObject({
      type: z.enum(['public', 'private']),
      name: Name,
      topic: Topic.nullable().optional(),
      description: Description.nullable().optional(),
      /** Who is in it from the beginning. */
      memberIds: z.array(Id).max(200).optional(),
    }),
    returns: Channel,
    errors: ['user_not_found', 'channel_limit'],
  },
  listPublic: {
    method: 'get',
    path: '/api/channels/public',
    access: 'user',
    summary: 'List public channels, newest first, with whether you are a member',
    query: ChannelPageQuery,
    returns: page(Channel),
    errors: ['bad_cursor'],
  },
  direct: {
    method: 'post',
    path: '/api/channels/dm',
    access: 'user',
    summary:
      'Get or create the direct message with one person, or with up to eight. The same people always get the same one',
    body: z.strictObject({ userIds: z.array(Id).min(1).max(mostOthers) }),
    returns: Channel,
    errors: ['user_not_found'],
  },
  read: {
    method: 'get',
    path: '/api/channels/{channelId}',
    access: 'user',
    names: 'own',
    summary: 'Get a channel you are a member of, or a public one',
    params: InChannel,
    returns: Channel,
    errors: ['channel_not_found'],
  },
  update: {
    method: 'patch',
    path: '/api/channels/{channelId}',
    access: 'user',
    names: owned,
    summary: 'Update a channel’s name, topic, description or rules, or archive or restore it, as an owner',
    params: InChannel,
    body: z.strictObject({
      name: Name.optional(),
      topic: Topic.nullable().optional(),
      description: Description.nullable().optional(),
      posting: ChannelCircle.optional(),
      calling: ChannelCircle.optional(),
      history: ChannelHistory.optional(),
      retentionDays: z.number().int().min(1).max(3650).nullable().optional(),
      archived: z.boolean().optional(),
    }),
    returns: Channel,
    errors: ['channel_not_found', 'right_missing', 'channel_fixed'],
  },
  removeChannel: {
    method: 'delete',
    path: '/api/channels/{channelId}',
    access: 'user',
    names: owned,
    summary: 'Delete a channel and everything in it, as an owner. Any member can delete a direct message',
    params: InChannel,
    returns: Nothing,
    errors: ['channel_not_found', 'right_missing'],
  },
  markRead: {
    method: 'post',
    path: '/api/channels/{channelId}/read',
    access: 'user',
    names: readable,
    summary: 'Mark a channel as read, entirely or up to a message. Only `unreadFrom` marks messages as unread again',
    params: InChannel,
    body: z
      .strictObject({
        /** The last message that was on screen. */
        upTo: Id.optional(),
        /** The first message that is to be unread again. */
        unreadFrom: Id.optional(),
      })
      .refine(({ upTo, unreadFrom }) => upTo === undefined || unreadFrom === undefined, 'give one of the two'),
    returns: Channel.pick({ readSeq: true, unreadCount: true, mentionCount: true }),
    errors: ['channel_not_found', 'channel_message_not_found'],
  },
})

export const channelsRoutes = {
  ...channels,
  ...members,
  ...messages,
  ...mentions,
  ...threads,
  ...catchUps,
  ...answers,
  ...typing,
  ...preferences,
  ...drafts,
  ...later,
} as const

export const channelsArea = area(channelsDescription, {
  routes: channelsRoutes,
  shapes: {
    Channel,
    ChannelAnswer,
    ChannelAnswerEvent,
    ChannelAttachment,
    ChannelCatchUp,
    ChannelDraft,
    ChannelEvent,
    ChannelMember,
    ChannelMention,
    ChannelMessage,
    ChannelNotices,
    ChannelPerson,
    ChannelReaction,
    ChannelTyping,
    FollowedThread,
    MessageReminder,
    ScheduledMessage,
    ThreadNotices,
  },
})
