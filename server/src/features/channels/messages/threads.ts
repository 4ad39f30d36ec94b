/** The threads that somebody follows, and how far they have read each. */
import type { ChannelMessage, channelsRoutes } from '@atrium/contract/channels'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type ChannelContext, openMessage, requireChannel } from '../context.ts'
import { sourceOf } from '../notices.ts'
import { presentMessages } from '../present.ts'
import type { ChannelTables, MessageRow } from '../tables.ts'

type Routes = Pick<typeof channelsRoutes, 'threads' | 'markThreadRead'>

/** So many of the last replies stand below the first message. */
const mostLatest = 2
/** Notices of so many replies are settled by one look at their thread: nobody reads more at once. */
const mostSettled = 500

export const threadHandlers = (context: ChannelContext): Handlers<Routes> => {
  const { announce, database, notifications, store } = context

  /** The number of a message of a thread that may be read. Refuses with `channel_message_not_found`. */
  const seqIn = async (rootId: string, messageId: string, floor: number): Promise<number> => {
    const row = await store.messages.find(messageId)
    if (!row || (row.parent_id ?? row.id) !== rootId || row.seq <= floor) throw fail('channel_message_not_found')
    return row.seq
  }

  return {
    async threads({ query: { limit, cursor } }, { caller: { accountId } }) {
      const { items, nextCursor } = await store.threads.page(accountId, limit, cursor)
      const latest = await Promise.all(
        items.map(async ({ id }) => (await store.messages.replies(id, end, mostLatest)).toReversed()),
      )
      const shown = await presentAll(context, [...items, ...latest.flat()])
      return {
        items: items.map((row, at) => ({
          root: shown.get(row.id) as ChannelMessage,
          latest: (latest[at] ?? []).flatMap(({ id }) => shown.get(id) ?? []),
          readSeq: row.read_seq,
          unreadCount: row.unread,
        })),
        nextCursor,
        unreadCount: await store.threads.countUnread(accountId),
      }
    },

    async markThreadRead({ params: { messageId }, body: { upTo, unreadFrom } }, { caller }) {
      const { accountId } = caller
      const { row } = await openMessage(context, caller, messageId)
      const { channel_id: channelId } = row
      const rootId = row.parent_id ?? row.id
      const { last_seq: last } = await requireChannel(context, channelId)
      const floor = await store.history.floorOf(channelId, accountId)
      const back = unreadFrom === undefined ? null : (await seqIn(rootId, unreadFrom, floor)) - 1
      const seq = upTo === undefined ? last : await seqIn(rootId, upTo, floor)
      const before = await store.threads.read(accountId, rootId)
      // Behind the place they had, as what lies before it was settled when it was read.
      const seen = await store.threads.repliesBetween(rootId, before?.read_seq ?? floor, seq, mostSettled)
      const publisher = await notifications.publisher([])
      await database.write<ChannelTables, void>(async (trx) => {
        // Whoever was removed a moment ago follows nothing there.
        if ((await store.members.among(channelId, [accountId], trx)).length === 0) return
        if (back === null) {
          await store.threads.moveForward(trx, accountId, rootId, seq)
          await publisher.settle(trx, { accountId, sourceKeys: [rootId, ...seen].map(sourceOf) })
        } else
          await store.threads.moveTo(trx, {
            account_id: accountId,
            channel_id: channelId,
            root_id: rootId,
            read_seq: back,
          })
      })
      await publisher.tell()
      const read = await store.threads.read(accountId, rootId)
      const readSeq = read?.read_seq ?? null
      if (readSeq !== null && readSeq !== before?.read_seq)
        await announce(accountId, { type: 'channel-thread-read-moved', data: { channelId, rootId, readSeq } })
      return { readSeq, unreadCount: read?.unread ?? 0 }
    },
  }
}

/** Behind every message. */
const end = Number.MAX_SAFE_INTEGER

/** Messages of several channels, by id. */
const presentAll = async (
  context: ChannelContext,
  rows: readonly MessageRow[],
): Promise<ReadonlyMap<string, ChannelMessage>> => {
  const byChannel = Map.groupBy(rows, ({ channel_id: id }) => id)
  const presented = await Promise.all([...byChannel].map(([id, same]) => presentMessages(context, id, same)))
  return new Map(presented.flat().map((message) => [message.id, message]))
}
