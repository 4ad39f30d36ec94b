/** Reading what was said: stretches of a channel, threads, pins, and how far somebody has read. */
import type { ChannelMessage, channelsRoutes } from '@atrium/contract/channels'
import { decodeCursor, encodeCursor } from '../../../platform/db/cursor.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type ChannelContext, openMessage, requireChannel } from '../context.ts'
import { aboutOf } from '../notices.ts'
import { presentMessages, threadNotices } from '../present.ts'
import { streamOf } from '../rules.ts'
import type { ChannelTables, MessageRow } from '../tables.ts'

type Routes = Pick<typeof channelsRoutes, 'messages' | 'thread' | 'pins' | 'markRead'>

/** Behind every message. */
const end = Number.MAX_SAFE_INTEGER

export const readHandlers = (context: ChannelContext): Handlers<Routes> => {
  const { announce, database, events, store } = context

  /** The number of a message of a channel. Refuses with `channel_message_not_found`. */
  const seqOf = async (channelId: string, messageId: string, floor: number): Promise<number> => {
    const row = await store.messages.find(messageId)
    if (row?.channel_id !== channelId || row.seq <= floor) throw fail('channel_message_not_found')
    return row.seq
  }
  /** The messages before a number in reading order, and where the next ones are. */
  const earlier = (rows: readonly MessageRow[], limit: number) => {
    const items = rows.slice(0, limit).toReversed()
    const [first] = items
    const hasMore = rows.length > limit && first !== undefined
    return { items, nextCursor: hasMore ? encodeCursor({ time: first.seq, id: first.channel_id }) : null }
  }
  const cursorOf = (channelId: string, cursor: string | undefined): number => {
    if (cursor === undefined) return end
    const { time, id } = decodeCursor(cursor)
    if (id !== channelId) throw fail('bad_cursor')
    return time
  }
  const before = async (channelId: string, seq: number, limit: number, floor: number) =>
    earlier(await store.messages.before(channelId, seq, limit + 1, floor), limit)
  /** Those after a number, and whether there are more. */
  const later = async (channelId: string, seq: number, limit: number) => {
    const rows = await store.messages.after(channelId, seq, limit + 1)
    return { items: rows.slice(0, limit), hasNewer: rows.length > limit }
  }
  /** The stretch of a channel that is asked for, of what lies after `floor`. */
  const stretch = async (
    channelId: string,
    {
      limit,
      cursor,
      after,
      around,
    }: { limit: number; cursor?: string | undefined; after?: string | undefined; around?: string | undefined },
    floor: number,
  ) => {
    if (after !== undefined) {
      const seq = await seqOf(channelId, after, floor)
      const newer = await later(channelId, seq, limit)
      const [first] = newer.items
      // Whoever asks so has the message itself: what is before lies there, too.
      return { ...newer, nextCursor: first ? encodeCursor({ time: first.seq, id: channelId }) : null }
    }
    if (around !== undefined) {
      const seq = await seqOf(channelId, around, floor)
      const [old, newer] = await Promise.all([
        before(channelId, seq, Math.floor(limit / 2), floor),
        later(channelId, seq - 1, Math.ceil(limit / 2)),
      ])
      return { ...newer, items: [...old.items, ...newer.items], nextCursor: old.nextCursor }
    }
    return { ...(await before(channelId, cursorOf(channelId, cursor), limit, floor)), hasNewer: cursor !== undefined }
  }

  return {
    async messages({ query }, { resource, caller: { accountId } }) {
      // Asked first: what happens while the rows are read comes twice rather than not at all.
      const eventSeq = await events.lastSeq(streamOf(resource.id))
      const { items, nextCursor, hasNewer } = await stretch(
        resource.id,
        query,
        await store.history.floorOf(resource.id, accountId),
      )
      return { items: await presentMessages(context, resource.id, items), nextCursor, hasNewer, eventSeq }
    },

    async thread({ params: { messageId }, query: { limit, cursor } }, { caller }) {
      const { row } = await openMessage(context, caller, messageId)
      const root = row.parent_id === null ? row : await store.messages.find(row.parent_id)
      if (!root) throw fail('channel_message_not_found')
      const { id, channel_id: channelId } = root
      if (root.seq <= (await store.history.floorOf(channelId, caller.accountId)))
        throw fail('channel_message_not_found')
      const { items, nextCursor } = earlier(
        await store.messages.replies(id, cursorOf(channelId, cursor), limit + 1),
        limit,
      )
      const [first, ...replies] = await presentMessages(context, channelId, [root, ...items])
      const chosen = await store.preferences.find(caller.accountId, channelId, id)
      const read = await store.threads.read(caller.accountId, id)
      return {
        root: first as ChannelMessage,
        items: replies,
        nextCursor,
        notices: threadNotices(chosen),
        readSeq: read?.read_seq ?? null,
      }
    },

    async pins(_input, { resource, caller: { accountId } }) {
      const floor = await store.history.floorOf(resource.id, accountId)
      const rows = (await store.messages.pinned(resource.id)).filter(({ seq }) => seq > floor)
      return { items: await presentMessages(context, resource.id, rows), nextCursor: null }
    },

    async markRead({ body: { upTo, unreadFrom } }, { resource, caller: { accountId } }) {
      const { id, last_seq: last } = await requireChannel(context, resource.id)
      const floor = await store.history.floorOf(id, accountId)
      const back = unreadFrom === undefined ? null : (await seqOf(id, unreadFrom, floor)) - 1
      const seq = upTo === undefined ? last : await seqOf(id, upTo, floor)
      const [next] = back === null && seq < last ? await store.messages.after(id, seq, 1) : []
      const publisher = await context.notifications.publisher([])
      const readSeq = await database.write<ChannelTables, number | null>(async (trx) => {
        if (back !== null) return await store.members.moveTo(trx, id, accountId, back)
        const until = next && next.created_at - 1
        await publisher.settle(trx, { about: [aboutOf(id)], accountId, ...(until === undefined ? {} : { until }) })
        return await store.members.moveForward(trx, id, accountId, seq)
      })
      await publisher.tell()
      const channel = await store.channels.read(id, accountId)
      if (readSeq === null || !channel) throw fail('channel_not_found')
      await announce(accountId, { type: 'channel-read-moved', data: { id, readSeq } })
      return { readSeq, unreadCount: channel.unread, mentionCount: channel.mentions }
    },
  }
}
