/** Forwarding: the text of a message goes along with another one, as it is then. */
import type { channelsRoutes } from '@atrium/contract/channels'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import { openWords } from '../../../platform/stored-json.ts'
import { type ChannelContext, openMessage } from '../context.ts'
import { presentMessage } from '../present.ts'
import { ownerOf } from '../rules.ts'
import { openForward } from './forwards.ts'
import { requireWriter, storeMessage } from './post.ts'

export const forwardHandlers = (context: ChannelContext): Handlers<Pick<typeof channelsRoutes, 'forward'>> => ({
  async forward({ params: { messageId }, body: { channelId, id, content = '' } }, { caller }) {
    const { row } = await openMessage(context, caller, messageId)
    if (row.content === null) throw fail('channel_message_not_found')
    const { channel, member } = await requireWriter(context, channelId, caller.accountId)
    const keys = await context.vault.keyring(ownerOf(row.channel_id))
    const own = openWords(keys, 'channel_messages.content', row.id, row.content)
    // What was forwarded without a word is forwarded itself.
    const earlier = own === '' ? openForward(keys, row) : null
    if (own === '' && !earlier)
      throw fail('validation_failed', undefined, [{ path: 'params.messageId', message: 'there is no text to forward' }])
    const forwarded = earlier ?? {
      channelId: row.channel_id,
      messageId: row.id,
      parentId: row.parent_id,
      authorId: row.author_id,
      content: own,
      createdAt: toIsoTime(row.created_at),
    }
    const message = { content, ...(id === undefined ? {} : { id }) }
    const outcome = await storeMessage(context, channel, member, message, { forwarded })
    if (typeof outcome === 'string') throw fail(outcome)
    return await presentMessage(context, (await context.store.messages.find(outcome.stored.id)) ?? outcome.stored)
  },
})
