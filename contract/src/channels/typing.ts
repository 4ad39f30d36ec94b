/** Who is typing, told to those who look at the channel just then, and kept nowhere. */
import { z } from 'zod'
import { Id, Nothing } from '../common.ts'
import { routes } from '../route.ts'
import { InChannel, readable } from './parts.ts'
import { ChannelPerson } from './shapes.ts'

/** A signal on the stream of a channel. It holds for `typingMs`. */
export const ChannelTyping = z.strictObject({
  type: z.literal('typing'),
  data: z.strictObject({ user: ChannelPerson, parentId: Id.nullable() }),
})
export type ChannelTyping = z.infer<typeof ChannelTyping>

export const typing = routes({
  typing: {
    method: 'post',
    path: '/api/channels/{channelId}/typing',
    access: 'user',
    names: readable,
    summary: 'Show people in the channel or thread that you are typing. Shown for five seconds and not stored',
    params: InChannel,
    body: z.strictObject({ parentId: Id.optional() }),
    returns: Nothing,
    errors: ['channel_not_found', 'channel_muted', 'channel_archived'],
  },
})
