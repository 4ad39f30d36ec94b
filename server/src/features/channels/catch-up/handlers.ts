/** What somebody missed: a model's sentences where there is one, and always the mentions and the longest threads. */
import { type ChannelCatchUp, type channelsRoutes, mostCatchUpMessages } from '@atrium/contract/channels'
import type { Handlers } from '../../../platform/http/area.ts'
import { failureOf } from '../../../core/generation/index.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import type { ChannelContext } from '../context.ts'
import { presentMessages } from '../present.ts'
import { askModel } from './by-model.ts'

const mostMentions = 10
const mostThreads = 5

export const catchUpHandlers = (context: ChannelContext): Handlers<Pick<typeof channelsRoutes, 'catchUp'>> => {
  const { defaultModel, people, store } = context

  return {
    async catchUp({ body: { afterSeq } }, { resource: { id: channelId }, caller: { accountId }, signal }) {
      const member = await store.members.find(channelId, accountId)
      if (!member) throw fail('channel_not_found')
      const floor = await store.history.floorOf(channelId, accountId)
      const stretch = { channelId, accountId, after: afterSeq ?? member.read_seq, floor }
      const [rows, mentions, threads] = await Promise.all([
        store.unread.latest(stretch, mostCatchUpMessages + 1),
        store.unread.mentions(stretch, mostMentions),
        store.unread.longestThreads(stretch, mostThreads),
      ])
      const unread = rows.slice(0, mostCatchUpMessages).toReversed()
      const roots = await presentMessages(
        context,
        channelId,
        await store.messages.listMany(threads.map(({ rootId }) => rootId)),
      )
      const found: ChannelCatchUp = {
        model: null,
        failure: null,
        sentences: [],
        mentions: await presentMessages(context, channelId, mentions),
        threads: threads.flatMap(({ rootId, count: unreadCount }) => {
          const root = roots.find(({ id }) => id === rootId)
          return root ? [{ root, unreadCount }] : []
        }),
        messageCount: unread.length,
        isComplete: rows.length <= mostCatchUpMessages,
      }
      if (unread.length === 0) return found
      try {
        const model = await defaultModel(accountId)
        if (!model) return found
        const reader = (await people.named([accountId])).get(accountId)?.name ?? ''
        const messages = await presentMessages(context, channelId, unread)
        const summary = await askModel(model, messages, reader, signal)
        if (!summary) return { ...found, failure: 'provider_failed' }
        // Whoever was removed meanwhile reads nothing more of it.
        if (!(await store.members.find(channelId, accountId))) throw fail('channel_not_found')
        return {
          ...found,
          model: model.name,
          sentences: summary.sentences.map(({ text, message: { id: messageId, parentId, inChannel } }) => ({
            text,
            messageId,
            parentId: inChannel ? null : parentId,
          })),
          messageCount: summary.read,
          isComplete: found.isComplete && summary.read === messages.length,
        }
      } catch (error) {
        if (signal.aborted || (isRefusal(error) && error.code === 'channel_not_found')) throw error
        // A model that cannot be asked, or may not by the budget, leaves what is counted.
        if (error instanceof ProviderFailure) return { ...found, failure: failureOf(error).code }
        if (isRefusal(error)) return { ...found, failure: error.code }
        throw error
      }
    },
  }
}
