/** Who is typing: a signal to those who look at the channel, at most one in two seconds of each person. */
import type { ChannelTyping, channelsRoutes } from '@atrium/contract/channels'
import { fail } from '../../platform/http/refusal.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { type ChannelContext, requireChannel } from './context.ts'
import { canModerate, streamOf } from './rules.ts'

const everyMs = 2000
/** So many are remembered at most; then all are forgotten, and may be told of once too often. */
const mostRemembered = 10_000

export const typingHandlers = (context: ChannelContext): Handlers<Pick<typeof channelsRoutes, 'typing'>> => {
  const toldAt = new Map<string, number>()
  return {
    async typing({ body: { parentId = null } }, { resource: { id }, caller: { accountId } }) {
      const { clock, people, signals, store } = context
      const channel = await requireChannel(context, id)
      const member = await store.members.find(channel.id, accountId)
      if (!member) throw fail('channel_not_found')
      if (channel.archived_at !== null) throw fail('channel_archived')
      if (channel.posting === 'moderators' && !canModerate(member.role)) throw fail('channel_muted')
      const key = `${accountId} ${id} ${parentId}`
      const now = clock.now()
      const last = toldAt.get(key)
      if (last !== undefined && last <= now && now - last < everyMs) return {}
      if (toldAt.size >= mostRemembered) toldAt.clear()
      toldAt.set(key, now)
      const user = (await people.named([accountId])).get(accountId)
      if (!user) return {}
      const { name, avatar } = user
      const signal: ChannelTyping = { type: 'typing', data: { user: { id: accountId, name, avatar }, parentId } }
      signals.send(streamOf(id), signal)
      return {}
    },
  }
}
