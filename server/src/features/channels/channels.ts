/** Channels themselves: creating, listing, changing and deleting them, and direct messages. */
import type { Channel, ChannelRole, channelsRoutes } from '@atrium/contract/channels'
import { actorOf } from '../../platform/audit/index.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import { announceReach, type ChannelContext, requireChannel, writeIn } from './context.ts'
import { aboutOf, prepareInvitations } from './notices.ts'
import { stopAnswers } from './answers/ask.ts'
import { presentChannels } from './present.ts'
import { isDirect, ownerOf } from './rules.ts'
import type { SeenChannel } from './stores/channels.ts'
import type { ChannelRow, MemberRow } from './tables.ts'

type Routes = Pick<
  typeof channelsRoutes,
  'list' | 'create' | 'listPublic' | 'direct' | 'read' | 'update' | 'removeChannel'
>

/** So many channels somebody creates at most, direct messages left out. */
const mostCreated = 200

export const channelHandlers = (context: ChannelContext): Handlers<Routes> => {
  const { access, audit, clock, notifications, people, store, vault } = context

  const present = async (rows: readonly SeenChannel[], accountId: string) =>
    await presentChannels(context, rows, accountId)

  /** Refuses with `user_not_found` where one of them is no active account. */
  const requirePeople = async (accountIds: readonly string[]): Promise<void> => {
    const found = await Promise.all(accountIds.map((id) => people.find(id)))
    if (found.includes(null)) throw fail('user_not_found')
  }

  return {
    async list({ query: { limit, cursor } }, { caller: { accountId } }) {
      const { items, nextCursor } = await store.channels.page(accountId, limit, cursor)
      return { items: await present(items, accountId), nextCursor }
    },

    async listPublic({ query: { limit, cursor } }, { caller: { accountId } }) {
      const { items, nextCursor } = await store.channels.pagePublic(accountId, limit, cursor)
      return { items: await present(items, accountId), nextCursor }
    },

    async create({ body: { type, name, topic = null, description = null, memberIds = [] } }, request) {
      const { accountId } = request.caller
      const others = [...new Set(memberIds)].filter((id) => id !== accountId)
      await requirePeople(others)
      if ((await store.channels.countCreated(accountId)) >= mostCreated) throw fail('channel_limit')
      const row = newChannel(context, { type, created_by: accountId, member_count: others.length + 1 })
      const keys = await vault.keyring(ownerOf(row.id))
      Object.assign(row, sealWords(keys, row.id, { name, topic, description }))
      const invitations = await prepareInvitations(context, row, accountId, others)
      await writeIn(
        context,
        row.id,
        async (trx) => {
          await store.channels.insert(trx, row, [
            toMember(row, accountId, 'owner'),
            ...others.map((id) => toMember(row, id, 'member')),
          ])
          await audit.recordIn(trx, {
            ...actorOf(request),
            action: 'channel.create',
            target: { type: 'channel', id: row.id },
            details: { type, members: others.length + 1 },
          })
          await invitations.publish(trx)
        },
        'audit',
      )
      await invitations.tell()
      await announceReach(context, [accountId, ...others])
      return await readChannel(context, row.id, accountId)
    },

    async direct({ body: { userIds } }, { caller: { accountId } }) {
      const others = [...new Set(userIds)].filter((id) => id !== accountId)
      if (others.length === 0)
        throw fail('validation_failed', undefined, [{ path: 'body.userIds', message: 'name somebody else' }])
      await requirePeople(others)
      const everybody = [accountId, ...others].toSorted()
      const row = newChannel(context, {
        type: others.length === 1 ? 'dm' : 'group',
        people: vault.blindIndex('channels.people', everybody.join('\0')),
        created_by: accountId,
        member_count: everybody.length,
      })
      const there = await writeIn(
        context,
        row.id,
        (trx) =>
          store.channels.insertDirect(
            trx,
            row,
            everybody.map((id) => toMember(row, id, 'owner')),
          ),
        // Of two who open the same one at once, the second finds that of the first.
        'channels-direct',
      )
      if (there === null) await announceReach(context, everybody)
      // The key was made for a channel that is not there.
      else await vault.removeKeys(ownerOf(row.id))
      return await readChannel(context, there ?? row.id, accountId)
    },

    read: ({ params: { channelId } }, { caller: { accountId } }) => readChannel(context, channelId, accountId),

    async update({ body }, request) {
      const { resource, caller } = request
      const { name, topic, description, posting, calling, history, retentionDays, archived } = body
      const channel = await requireChannel(context, resource.id)
      if (isDirect(channel.type)) throw fail('channel_fixed')
      const keys = await vault.keyring(ownerOf(channel.id))
      const now = clock.now()
      const changes: Partial<ChannelRow> = {
        ...sealWords(keys, channel.id, { name, topic, description }),
        ...(posting ? { posting } : {}),
        ...(calling ? { calling } : {}),
        ...(history ? { history } : {}),
        ...(retentionDays === undefined ? {} : { retention_days: retentionDays }),
        ...(archived === undefined ? {} : { archived_at: archived ? (channel.archived_at ?? now) : null }),
        updated_at: now,
      }
      await writeIn(
        context,
        channel.id,
        async (trx, tell) => {
          if (!(await store.channels.update(trx, channel.id, changes))) return
          await tell({ type: 'channel-updated', data: { channelId: channel.id } })
          await audit.recordIn(trx, {
            ...actorOf(request),
            action: 'channel.update',
            target: { type: 'channel', id: channel.id },
            details: { fields: Object.keys(body) },
          })
        },
        'audit',
      )
      // What members may hear of the channel is another, from now on.
      if (history && history !== channel.history) await access.announceReach(await store.members.idsOf(channel.id))
      return await readChannel(context, channel.id, caller.accountId)
    },

    async removeChannel(_input, request) {
      const { resource } = request
      const channel = await requireChannel(context, resource.id)
      const memberIds = await store.members.idsOf(channel.id)
      const publisher = await notifications.publisher([])
      await writeIn(
        context,
        channel.id,
        async (trx, tell) => {
          // From here on it is there for nobody; what it holds goes by and by, and its key last.
          if (!(await store.channels.update(trx, channel.id, { deleted_at: clock.now(), people: null }))) return
          await tell({ type: 'channel-deleted', data: { channelId: channel.id } }, true)
          await publisher.withdraw(trx, { about: [aboutOf(channel.id)] })
          await audit.recordIn(trx, {
            ...actorOf(request),
            action: 'channel.delete',
            target: { type: 'channel', id: channel.id },
            details: { type: channel.type, members: channel.member_count },
          })
        },
        'audit',
      )
      await publisher.tell()
      await access.announceReach(memberIds)
      await stopAnswers(context, channel.id)
      await context.sweepSoon()
      return {}
    },
  }
}

/** A channel as somebody sees it who is in it, or anybody a public one. Refuses with `channel_not_found`. */
export const readChannel = async (context: ChannelContext, channelId: string, accountId: string): Promise<Channel> => {
  const row = await context.store.channels.read(channelId, accountId)
  const [channel] = row ? await presentChannels(context, [row], accountId) : []
  if (!channel) throw fail('channel_not_found')
  return channel
}

const newChannel = (
  { clock }: ChannelContext,
  given: Pick<ChannelRow, 'type' | 'created_by' | 'member_count'> & Partial<ChannelRow>,
): ChannelRow => {
  const now = clock.now()
  return {
    id: clock.id(),
    name: null,
    topic: null,
    description: null,
    posting: 'members',
    calling: 'members',
    history: 'everything',
    retention_days: null,
    people: null,
    last_seq: 0,
    latest_message_at: null,
    active_at: now,
    created_at: now,
    updated_at: now,
    archived_at: null,
    deleted_at: null,
    ...given,
  }
}

const toMember = ({ id, created_at }: ChannelRow, accountId: string, role: ChannelRole): MemberRow => ({
  channel_id: id,
  account_id: accountId,
  role,
  read_seq: 0,
  joined_at: created_at,
  from_seq: 0,
  from_event: 0,
})

/** Those of the words that are given; null and an empty text take them away. */
const sealWords = (
  keys: Keyring,
  id: string,
  words: { readonly [W in 'name' | 'topic' | 'description']?: string | null | undefined },
): Partial<ChannelRow> =>
  Object.fromEntries(
    Object.entries(words).flatMap(([word, text]) =>
      text === undefined ? [] : [[word, text ? keys.seal(`channels.${word}`, id, text) : null]],
    ),
  )
