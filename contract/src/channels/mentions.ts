/** Whom a message calls by `@`. */
import { z } from 'zod'
import { routes } from '../route.ts'
import { InChannel, readable } from './parts.ts'
import { ChannelMessage, ChannelPerson } from './shapes.ts'

/** So many people are called without asking whoever writes. */
export const mostUnasked = 20

export const mentions = routes({
  reach: {
    method: 'post',
    path: '/api/channels/{channelId}/mentions',
    access: 'user',
    limit: 'channel',
    names: readable,
    summary: 'Preview whom a message would notify: how many members, and which people it mentions who are not members',
    params: InChannel,
    body: z.strictObject({ content: z.string().max(20_000) }),
    returns: z.strictObject({ count: z.number().int(), outsiders: z.array(ChannelPerson).max(20) }),
    errors: ['channel_not_found'],
  },
  nextMention: {
    method: 'get',
    path: '/api/channels/{channelId}/mentions/next',
    access: 'user',
    names: readable,
    summary:
      'Get the next message that mentions you, in threads too, after what you have read or after the message with a given number',
    params: InChannel,
    query: z.strictObject({ afterSeq: z.coerce.number().int().min(0).optional() }),
    returns: z.strictObject({ message: ChannelMessage.nullable() }),
    errors: ['channel_not_found'],
  },
})
