/** Who is in a channel: joining, adding, roles, leaving and being removed. */
import type { channelsRoutes } from '@atrium/contract/channels'
import { actorOf } from '../../platform/audit/index.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { readChannel } from './channels.ts'
import { announceReach, type ChannelContext, requireChannel, writeIn } from './context.ts'
import { aboutOf, prepareInvitations } from './notices.ts'
import { stopAnswers } from './answers/ask.ts'
import { rowToMember } from './present.ts'
import { isDirect, mayRemove, canModerate } from './rules.ts'
import type { ChannelRow, MemberRow } from './tables.ts'

type Routes = Pick<typeof channelsRoutes, 'join' | 'members' | 'addMember' | 'changeMember' | 'removeMember'>
type Request = Parameters<typeof actorOf>[0]

export const memberHandlers = (context: ChannelContext): Handlers<Routes> => {
  const { audit, clock, notifications, people, store } = context

  const named = async (...accountIds: string[]) => await people.named(accountIds)

  /** Adds somebody, unless they are in it already. Refuses with what the store says. */
  const add = async (request: Request, channel: ChannelRow, accountId: string): Promise<MemberRow> => {
    const channelId = channel.id
    const row: MemberRow = {
      channel_id: channelId,
      account_id: accountId,
      role: 'member',
      read_seq: 0,
      joined_at: clock.now(),
      from_seq: 0,
      from_event: 0,
    }
    const found = await named(accountId)
    const invitation = await prepareInvitations(context, channel, request.caller?.accountId ?? accountId, [accountId])
    const added = await writeIn(
      context,
      channelId,
      async (trx, tell) => {
        const done = await store.members.add(trx, row)
        if (typeof done === 'string' || !done.isNew) return done
        const place = await tell({
          type: 'member-added',
          data: { channelId, member: rowToMember(found, done.member) },
        })
        await store.members.noteEvent(trx, done.member, place)
        await audit.recordIn(trx, {
          ...actorOf(request),
          action: 'channel-member.add',
          target: { type: 'channel', id: channelId },
          details: { accountId },
        })
        await invitation.publish(trx)
        return done
      },
      'audit',
    )
    await invitation.tell()
    if (added === 'gone') throw fail('channel_not_found')
    if (added === 'archived') throw fail('channel_archived')
    if (added === 'full') throw fail('channel_full')
    if (added.isNew) await announceReach(context, [accountId])
    return added.member
  }

  return {
    async join({ params: { channelId } }, request) {
      const { accountId } = request.caller
      const channel = await store.channels.read(channelId, accountId)
      if (!channel) throw fail('channel_not_found')
      if (channel.role === null) await add(request, channel, accountId)
      return await readChannel(context, channelId, accountId)
    },

    async members({ query: { limit, cursor } }, { resource }) {
      const { items, nextCursor } = await store.members.page(resource.id, limit, cursor)
      const found = await named(...items.map(({ account_id: id }) => id))
      return { items: items.map((row) => rowToMember(found, row)), nextCursor }
    },

    async addMember({ body: { userId } }, request) {
      const { resource } = request
      const channel = await requireChannel(context, resource.id)
      if (isDirect(channel.type)) throw fail('channel_fixed')
      if (channel.type === 'private' && resource.right === 'write') throw fail('right_missing')
      if (!(await people.find(userId))) throw fail('user_not_found')
      const row = await add(request, channel, userId)
      return rowToMember(await named(userId), row)
    },

    async changeMember({ params: { userId }, body: { role } }, request) {
      const channel = await requireChannel(context, request.resource.id)
      if (isDirect(channel.type)) throw fail('channel_fixed')
      const found = await named(userId)
      const row = await writeIn(
        context,
        channel.id,
        async (trx, tell) => {
          const done = await store.members.changeRole(trx, channel.id, userId, role)
          if (typeof done === 'string') return done
          await tell({ type: 'member-changed', data: { channelId: channel.id, member: rowToMember(found, done) } })
          await audit.recordIn(trx, {
            ...actorOf(request),
            action: 'channel-member.update',
            target: { type: 'channel', id: channel.id },
            details: { accountId: userId, role },
          })
          return done
        },
        'audit',
      )
      if (row === 'gone') throw fail('channel_member_not_found')
      if (row === 'last-owner') throw fail('channel_last_owner')
      await announceReach(context, [userId])
      return rowToMember(found, row)
    },

    async removeMember({ params: { userId } }, request) {
      const { resource, caller } = request
      const channel = await requireChannel(context, resource.id)
      if (isDirect(channel.type)) throw fail('channel_fixed')
      const own = await store.members.find(channel.id, caller.accountId)
      if (!own) throw fail('channel_not_found')
      const isSelf = userId === caller.accountId
      const publisher = await notifications.publisher([])
      const done = await writeIn(
        context,
        channel.id,
        async (trx, tell) => {
          const may = ({ role }: MemberRow) => isSelf || (canModerate(own.role) && mayRemove(own.role, role))
          const removed = await store.members.remove(trx, channel.id, userId, may)
          if (typeof removed === 'string') return removed
          await tell({ type: 'member-removed', data: { channelId: channel.id, userId } })
          await publisher.withdraw(trx, { about: [aboutOf(channel.id)], accountId: userId })
          await audit.recordIn(trx, {
            ...actorOf(request),
            action: 'channel-member.remove',
            target: { type: 'channel', id: channel.id },
            details: { accountId: userId, reason: isSelf ? 'left' : 'removed' },
          })
          return removed
        },
        'audit',
      )
      await publisher.tell()
      if (done === 'gone') throw fail('channel_member_not_found')
      if (done === 'refused') throw fail('right_missing')
      if (done === 'last-owner') throw fail('channel_last_owner')
      await announceReach(context, [userId])
      await stopAnswers(context, channel.id, userId)
      return {}
    },
  }
}
