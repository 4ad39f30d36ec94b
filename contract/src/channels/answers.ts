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
    summary: 'Follow the answer of a model from any point; it ends when the right to the channel ends',
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
      'Stop the answer of a model and keep what it has written: whoever asked, owners and moderators. One that has ended stays as it is',
    params: OfMessage,
    returns: ChannelMessage,
    errors: ['channel_message_not_found', 'right_missing'],
  },
})
