/** Forwarding: the text of a message goes along with another one, as it is then, and so do copies of its files. */
import type { channelsRoutes } from '@atrium/contract/channels'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import { openWords } from '../../../platform/stored-json.ts'
import { type ChannelContext, openMessage } from '../context.ts'
import { copyFiles } from '../attachments.ts'
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
    const files = (await context.store.attachments.ofMessages([row])).get(row.id) ?? []
    if (own === '' && !earlier && files.length === 0)
      throw fail('validation_failed', undefined, [{ path: 'params.messageId', message: 'there is nothing to forward' }])
    const forwarded = earlier ?? {
      channelId: row.channel_id,
      messageId: row.id,
      parentId: row.parent_id,
      authorId: row.author_id,
      content: own,
      createdAt: toIsoTime(row.created_at),
    }
    const message = { content, ...(id === undefined ? {} : { id }) }
    // Asked for again, it is there with its copies.
    const isSent = id !== undefined && (await context.store.messages.find(id)) !== null
    const target = { channelId: channel.id, accountId: caller.accountId }
    const copies = isSent ? [] : await copyFiles(context, files, target)
    const outcome = await storeMessage(context, channel, member, message, { forwarded, files: copies })
    if (typeof outcome === 'string') throw fail(outcome)
    return await presentMessage(context, (await context.store.messages.find(outcome.stored.id)) ?? outcome.stored)
  },
})
