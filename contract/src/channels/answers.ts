/** What models answer in channels: followed by every member, stopped by whoever asked. */
import { routes } from '../route.ts'
import { z } from 'zod'
import { OfMessage } from './parts.ts'
import { ChannelAnswerEvent, ChannelMessage } from './shapes.ts'

export const answers = routes({
  answerEvents: {
    method: 'get',
    path: '/api/channels/messages/{messageId}/events',
    access: 'user',
    names: 'own',
    summary: 'Follow a model’s answer from any point. Ends when you lose access to the channel',
    params: OfMessage,
    query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }),
    returns: z.never(),
    stream: ChannelAnswerEvent,
    errors: ['channel_message_not_found'],
  },
  cancelAnswer: {
    method: 'post',
    path: '/api/channels/messages/{messageId}/cancel',
    access: 'user',
    names: 'own',
    summary:
      'Stop a model’s answer and keep what is written, as the person who asked, an owner or a moderator. An ended answer stays as it is',
    params: OfMessage,
    returns: ChannelMessage,
    errors: ['channel_message_not_found', 'right_missing'],
  },
})
