/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'
import { Words } from '../notifications/words.ts'

/** What somebody said, and where; `channel` is empty for a direct message. */
const said = z.strictObject({
  channelId: z.string(),
  messageId: z.string(),
  parentId: z.string().nullable(),
  channel: Words,
  by: Words,
  text: Words,
})

export const channelsDescription = describeArea({
  name: 'channels',
  tag: 'channels',
  errors: {
    channel_not_found: [404, 'Channel not found.'],
    channel_member_not_found: [404, 'This person isn’t a member of the channel.'],
    channel_message_not_found: [404, 'Message not found.'],
    channel_attachment_not_found: [404, 'File not found.'],
    channel_reaction_not_found: [404, 'You haven’t reacted with this emoji.'],
    channel_muted: [403, 'Only owners and moderators can write in this channel.'],
    channel_limit: [409, 'You can create at most 200 channels.'],
    channel_full: [409, 'A channel can have at most 5,000 members.'],
    channel_archived: [409, 'This channel is archived. An owner can restore it.'],
    channel_fixed: [409, 'The people in a direct message can’t be changed. Start a new one instead.'],
    channel_last_owner: [409, 'You’re the last owner. Make someone else an owner first.'],
    channel_pin_limit: [409, 'You can pin at most 100 messages in a channel. Unpin one first.'],
    channel_scheduled_not_found: [404, 'Scheduled message not found. It may have been sent already.'],
    channel_scheduled_limit: [409, 'You can schedule at most 100 messages.'],
    channel_reminder_limit: [409, 'You can have at most 500 message reminders.'],
    channel_reaction_limit: [409, 'A message can have at most 200 reactions.'],
    channel_file_unsupported: [415, 'This file isn’t what it claims to be, or it is empty.'],
  },
  events: {
    /** Channels that the account is in are more, less, or called otherwise, or it has read or not read something. */
    'channels-changed': z.strictObject({}),
    /** What the account has read of a channel moved, here or on another device. */
    'channel-read-moved': z.strictObject({ id: z.string(), readSeq: z.number().int() }),
    /** What the account has read of a thread that it follows moved, here or on another device. */
    'channel-thread-read-moved': z.strictObject({
      channelId: z.string(),
      rootId: z.string(),
      readSeq: z.number().int(),
    }),
    /** What the account sends later, or is reminded of, is something else. */
    'channel-later-changed': z.strictObject({}),
    /** What the account typed there is another text, here or on another device. */
    'channel-draft-changed': z.strictObject({
      channelId: z.string(),
      parentId: z.string().nullable(),
      updatedAt: z.string(),
    }),
  },
  audit: [
    'channel.create',
    'channel.update',
    'channel.delete',
    'channel-member.add',
    'channel-member.update',
    'channel-member.remove',
    'channel-message.delete',
  ],
  jobs: ['channels.tidy', 'channels.call', 'channels.send', 'channels.remind'],
  scopes: ['read', 'write'],
  notifications: {
    /** A message names somebody, or calls everybody. */
    mention: said,
    'direct-message': said,
    /** In a thread that somebody wrote in. */
    'thread-reply': said,
    /** In a channel of which somebody wants to hear all. */
    'channel-post': said,
    /** It holds a word that somebody watches. */
    keyword: said,
    /** Of which somebody asked to be reminded. */
    'message-reminder': said,
    /** A scheduled message could not be sent; the reason is a code. */
    'message-not-sent': z.strictObject({
      channelId: z.string(),
      scheduledId: z.string(),
      channel: Words,
      text: Words,
      reason: z.string(),
    }),
    /** Somebody was added to a channel by another one. */
    'channel-invitation': z.strictObject({ channelId: z.string(), channel: Words, by: Words }),
  },
  resources: {
    channel: { shared: true, private: true, members: true },
    'channel-message': { found: true },
  },
})
