/** Channels, who is in them, and what is said there. */
import { z } from 'zod'
import { Id, Selection, Time } from '../common.ts'

/** `dm`: of two people; `group`: of three to nine, who are chosen once. */
export const ChannelType = z.enum(['public', 'private', 'dm', 'group'])
export type ChannelType = z.infer<typeof ChannelType>

export const ChannelRole = z.enum(['owner', 'moderator', 'member'])
export type ChannelRole = z.infer<typeof ChannelRole>

/** Who may do something in a channel. */
export const ChannelCircle = z.enum(['members', 'moderators'])
export type ChannelCircle = z.infer<typeof ChannelCircle>

/** What members may read: everything, or what was said since they came. */
export const ChannelHistory = z.enum(['everything', 'since-joining'])
export type ChannelHistory = z.infer<typeof ChannelHistory>

export const ChannelPerson = z.strictObject({
  id: Id,
  name: z.string(),
  /** Where the person's picture is, if there is one. */
  avatar: z.string().nullable(),
})
export type ChannelPerson = z.infer<typeof ChannelPerson>

/**
 * Of what somebody is notified: every message, what names them or holds one of their keywords, or nothing. In a channel,
 * `mentions` has replies in one’s own threads, too.
 */
export const ChannelLevel = z.enum(['all', 'mentions', 'nothing'])
export type ChannelLevel = z.infer<typeof ChannelLevel>

export const ChannelNotices = z.strictObject({
  level: ChannelLevel,
  /** Nothing is told until then. */
  mutedUntil: Time.nullable(),
})
export type ChannelNotices = z.infer<typeof ChannelNotices>

/** `level` is null where nothing was chosen: whoever wrote in the thread is told of replies. */
export const ThreadNotices = ChannelNotices.extend({ level: ChannelLevel.nullable() })
export type ThreadNotices = z.infer<typeof ThreadNotices>

/** Counts of unread messages and mentions end here: it stands for as many, or more. */
export const mostUnread = 100

export const Channel = z.strictObject({
  id: Id,
  type: ChannelType,
  /** Empty for direct messages, which are called by their people. */
  name: z.string(),
  topic: z.string().nullable(),
  description: z.string().nullable(),
  /** Who may write. */
  posting: ChannelCircle,
  /** Who may call everybody by `@channel`. */
  calling: ChannelCircle,
  history: ChannelHistory,
  /** Messages are deleted after so many days; null: they stay. */
  retentionDays: z.number().int().nullable(),
  memberCount: z.number().int(),
  /** Of a direct message: everybody in it but the caller. */
  people: z.array(ChannelPerson),
  createdAt: Time,
  updatedAt: Time,
  archivedAt: Time.nullable(),
  /** When something was last said. */
  latestMessageAt: Time.nullable(),
  /** The number of the last message. */
  lastSeq: z.number().int(),
  isMember: z.boolean(),
  /** The caller's; null for whoever is no member. */
  role: ChannelRole.nullable(),
  /** What the caller has read: all up to the message of this number. */
  readSeq: z.number().int(),
  /** Messages of others after that, replies in threads left out; at most `mostUnread`. */
  unreadCount: z.number().int().min(0).max(mostUnread),
  /** Messages after that which name the caller, or call everybody; at most `mostUnread`. */
  mentionCount: z.number().int().min(0).max(mostUnread),
  /** The caller's choice; for direct messages `all` and for others `mentions`, where there is none. */
  notices: ChannelNotices,
})
export type Channel = z.infer<typeof Channel>

export const ChannelMember = z.strictObject({ user: ChannelPerson, role: ChannelRole, joinedAt: Time })
export type ChannelMember = z.infer<typeof ChannelMember>

export const ChannelAttachment = z.strictObject({
  id: Id,
  name: z.string(),
  mediaType: z.string(),
  sizeBytes: z.number().int(),
  /** Of pictures. */
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
})
export type ChannelAttachment = z.infer<typeof ChannelAttachment>

/** One emoji under a message, and everybody who gave it, the first one first. */
export const ChannelReaction = z.strictObject({ emoji: z.string(), users: z.array(ChannelPerson) })
export type ChannelReaction = z.infer<typeof ChannelReaction>

/** Whom a message names: a person, everybody, those who are there when it is written, or the members of a group among them. */
export const ChannelMention = z.union([
  z.strictObject({ kind: z.literal('person'), user: ChannelPerson }),
  z.strictObject({ kind: z.literal('channel') }),
  z.strictObject({ kind: z.literal('here') }),
  /** The name is empty where the group is gone. */
  z.strictObject({ kind: z.literal('group'), group: z.strictObject({ id: Id, name: z.string() }) }),
])
export type ChannelMention = z.infer<typeof ChannelMention>

/** How a model answers a message. */
export const ChannelAnswer = z.strictObject({
  /** The message that it answers. */
  questionId: Id,
  model: Selection,
  /** What the model was called when it was asked. */
  name: z.string(),
  /** Whose access, keys and budget it uses; null: a former member. */
  askedBy: ChannelPerson.nullable(),
  /** `interrupted`: the server went away while it was written. */
  state: z.enum(['pending', 'completed', 'cancelled', 'failed', 'interrupted']),
  /** Why it failed, as a code: what a provider says of it may be private to whoever asked. */
  failure: z.string().nullable(),
})
export type ChannelAnswer = z.infer<typeof ChannelAnswer>

/**
 * What was said elsewhere, as it was when it was forwarded. Who is not in that channel reads it all the same, and finds
 * nothing by the ids.
 */
export const ForwardedMessage = z.strictObject({
  channelId: Id,
  messageId: Id,
  /** In the thread of this message. */
  parentId: Id.nullable(),
  /** null: a model, or a former member. */
  author: ChannelPerson.nullable(),
  content: z.string(),
  createdAt: Time,
})

export const ChannelMessage = z.strictObject({
  id: Id,
  channelId: Id,
  /** Its number in the channel: 1, 2, 3 and so on, replies in threads counted too. */
  seq: z.number().int(),
  /** The message that this one answers in a thread. */
  parentId: Id.nullable(),
  /** Whether it stands in the channel; of replies, only those do that were sent there, too. */
  inChannel: z.boolean(),
  /** null: a model, or a former member, whose account is gone. */
  author: ChannelPerson.nullable(),
  /** Of what a model wrote. */
  answer: ChannelAnswer.nullable(),
  /** Markdown; empty once it is deleted. */
  content: z.string(),
  forwarded: ForwardedMessage.nullable(),
  mentions: z.array(ChannelMention),
  attachments: z.array(ChannelAttachment),
  reactions: z.array(ChannelReaction),
  createdAt: Time,
  editedAt: Time.nullable(),
  deletedAt: Time.nullable(),
  pinnedAt: Time.nullable(),
  /** Of what begins a thread. */
  replyCount: z.number().int(),
  lastReplyAt: Time.nullable(),
})
export type ChannelMessage = z.infer<typeof ChannelMessage>

/** The words of an answer as they come, and how it ended. */
export const ChannelAnswerEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start'), data: z.strictObject({ messageId: Id }) }),
  z.strictObject({ type: z.literal('text'), data: z.strictObject({ delta: z.string() }) }),
  z.strictObject({ type: z.literal('done'), data: z.strictObject({ message: ChannelMessage }) }),
  z.strictObject({ type: z.literal('cancelled'), data: z.strictObject({ message: ChannelMessage }) }),
  z.strictObject({
    type: z.literal('error'),
    data: z.strictObject({ code: z.string(), detail: z.string(), message: ChannelMessage.optional() }),
  }),
])
export type ChannelAnswerEvent = z.infer<typeof ChannelAnswerEvent>

/** `seq`: the number of the message; events of earlier versions do not tell it. */
const InMessage = z.strictObject({ channelId: Id, messageId: Id, seq: z.number().int().optional() })
const Reacted = InMessage.extend({ emoji: z.string(), user: ChannelPerson })
const event = <const T extends string, S extends z.ZodType>(type: T, data: S) =>
  z.strictObject({ type: z.literal(type), data })

/** What happens in a channel, the same for everybody in it. */
export const ChannelEvent = z.discriminatedUnion('type', [
  event('message-created', z.strictObject({ message: ChannelMessage })),
  event('message-edited', z.strictObject({ message: ChannelMessage })),
  event('message-deleted', InMessage.extend({ parentId: Id.nullable() })),
  event('message-pinned', InMessage.extend({ pinnedAt: Time })),
  event('message-unpinned', InMessage),
  event('reaction-added', Reacted),
  event('reaction-removed', Reacted),
  event('member-added', z.strictObject({ channelId: Id, member: ChannelMember })),
  event('member-removed', z.strictObject({ channelId: Id, userId: Id })),
  event('member-changed', z.strictObject({ channelId: Id, member: ChannelMember })),
  /** Its name, its rules, or whether it is archived: read it again. */
  event('channel-updated', z.strictObject({ channelId: Id })),
  event('channel-deleted', z.strictObject({ channelId: Id })),
  /** What came before is not kept any more: read the channel anew. */
  event('reset', z.strictObject({})),
  /** The last one of a stream that ends before its time. */
  event('error', z.strictObject({ code: z.string(), detail: z.string() })),
])
export type ChannelEvent = z.infer<typeof ChannelEvent>
