/** Of what in a channel or a thread somebody is notified. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'
import { routes } from '../route.ts'
import { InChannel, OfMessage, readable } from './parts.ts'
import { Channel, ChannelLevel, ChannelNotices, ThreadNotices } from './shapes.ts'

/** No longer than a year. */
export const longestMuteMs = 366 * 24 * 3600_000

/** What is left out stays; a time that is over mutes nothing. */
const mutedUntil = Time.nullable().optional()

/** A channel or a thread for which something was chosen. */
const ChosenNotices = z.strictObject({
  channel: Channel,
  /** The message that began the thread, and its first words; null for the channel itself. */
  thread: z.strictObject({ messageId: Id, text: z.string() }).nullable(),
  notices: ThreadNotices,
})

export const preferences = routes({
  preferences: {
    method: 'get',
    path: '/api/channels/preferences',
    access: 'user',
    summary: 'List the channels and threads for which you changed notification settings',
    returns: z.strictObject({ items: z.array(ChosenNotices), nextCursor: z.null() }),
  },
  updatePreferences: {
    method: 'put',
    path: '/api/channels/{channelId}/preferences',
    access: 'user',
    names: readable,
    summary: 'Set which messages of a channel notify you, or mute it for up to a year',
    params: InChannel,
    body: z.strictObject({ level: ChannelLevel.optional(), mutedUntil }),
    returns: ChannelNotices,
    errors: ['channel_not_found'],
  },
  updateThreadPreferences: {
    method: 'put',
    path: '/api/channels/messages/{messageId}/preferences',
    access: 'user',
    names: 'own',
    summary: 'Set which messages of a thread notify you, or mute it for up to a year. null restores the default',
    params: OfMessage,
    body: z.strictObject({ level: ChannelLevel.nullable().optional(), mutedUntil }),
    returns: ThreadNotices,
    errors: ['channel_message_not_found'],
  },
})
