/** Messages that are sent later, and messages of which somebody is reminded. */
import { z } from 'zod'
import { ClientId, Id, Nothing, Selection, Time } from '../common.ts'
import { routes } from '../route.ts'
import { InChannel, mostMessageLetters, OfMessage, readable } from './parts.ts'
import { mostMessageFiles, mostModels } from './messages.ts'
import { ChannelAttachment, ChannelMessage } from './shapes.ts'

export const mostScheduled = 100
/** No longer than a year. */
export const longestLaterMs = 366 * 24 * 3600_000

export const ScheduledMessage = z.strictObject({
  /** That the message will have, too. */
  id: Id,
  channelId: Id,
  parentId: Id.nullable(),
  inChannel: z.boolean(),
  content: z.string(),
  attachments: z.array(ChannelAttachment),
  /** They answer once it is sent. */
  models: z.array(Selection),
  sendAt: Time,
  /** `failed`: it could not be sent, and stays here. */
  state: z.enum(['waiting', 'sending', 'failed']),
  /** Why not, as a code. */
  failure: z.string().nullable(),
  version: z.number().int(),
})
export type ScheduledMessage = z.infer<typeof ScheduledMessage>

export const MessageReminder = z.strictObject({ message: ChannelMessage, remindAt: Time })

const Content = z.string().trim().max(mostMessageLetters)
const OneScheduled = z.strictObject({ scheduledId: Id })

export const later = routes({
  scheduled: {
    method: 'get',
    path: '/api/channels/scheduled',
    access: 'user',
    summary: 'List your scheduled messages and those that couldn’t be sent, next one first',
    returns: z.strictObject({ items: z.array(ScheduledMessage), nextCursor: z.null() }),
  },
  schedule: {
    method: 'post',
    path: '/api/channels/{channelId}/scheduled',
    access: 'user',
    limit: 'channel',
    names: readable,
    summary:
      'Schedule a message in a channel or thread, at most a year ahead. Your right to write is checked when it is sent',
    params: InChannel,
    body: z.strictObject({
      id: ClientId.optional(),
      /** Markdown. */
      content: Content,
      parentId: Id.optional(),
      inChannel: z.boolean().optional(),
      /** Of what the caller has just uploaded to this channel; it is kept until the message is sent. Without a text there is one at least. */
      attachmentIds: z.array(Id).max(mostMessageFiles).optional(),
      /** They answer once it is sent, with the means of the caller. */
      models: z.array(Selection).max(mostModels).optional(),
      sendAt: Time,
    }),
    returns: ScheduledMessage,
    errors: [
      'channel_not_found',
      'channel_muted',
      'channel_archived',
      'channel_message_not_found',
      'channel_attachment_not_found',
      'channel_scheduled_limit',
      'id_reused',
      'model_unavailable',
    ],
  },
  reschedule: {
    method: 'patch',
    path: '/api/channels/scheduled/{scheduledId}',
    access: 'user',
    limit: 'channel',
    names: 'own',
    summary: 'Update the text or the time of a scheduled message',
    params: OneScheduled,
    body: z.strictObject({
      content: Content.optional(),
      sendAt: Time.optional(),
      /** Of what was read: another one in the meantime is told instead of overwritten. */
      version: z.number().int(),
    }),
    returns: ScheduledMessage,
    errors: ['channel_scheduled_not_found', 'conflict'],
  },
  sendScheduled: {
    method: 'post',
    path: '/api/channels/scheduled/{scheduledId}/send',
    access: 'user',
    limit: 'channel',
    names: 'own',
    summary: 'Send a scheduled message now',
    params: OneScheduled,
    returns: ChannelMessage,
    errors: [
      'channel_scheduled_not_found',
      'channel_not_found',
      'channel_muted',
      'channel_archived',
      'channel_message_not_found',
      'channel_attachment_not_found',
      'conflict',
    ],
  },
  unschedule: {
    method: 'delete',
    path: '/api/channels/scheduled/{scheduledId}',
    access: 'user',
    names: 'own',
    summary: 'Delete a scheduled message',
    params: OneScheduled,
    returns: Nothing,
    errors: ['channel_scheduled_not_found', 'conflict'],
  },
  reminders: {
    method: 'get',
    path: '/api/channels/reminders',
    access: 'user',
    summary: 'List your message reminders, next one first',
    returns: z.strictObject({ items: z.array(MessageReminder), nextCursor: z.null() }),
  },
  remind: {
    method: 'put',
    path: '/api/channels/messages/{messageId}/reminder',
    access: 'user',
    names: 'own',
    summary: 'Set a reminder for a message, at most a year ahead. Replaces an earlier one',
    params: OfMessage,
    body: z.strictObject({ remindAt: Time }),
    returns: MessageReminder,
    errors: ['channel_message_not_found', 'channel_reminder_limit'],
  },
  forgetReminder: {
    method: 'delete',
    path: '/api/channels/messages/{messageId}/reminder',
    access: 'user',
    names: 'own',
    summary: 'Remove the reminder for a message',
    params: OfMessage,
    returns: Nothing,
    errors: ['channel_message_not_found'],
  },
})
