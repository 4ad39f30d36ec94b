/** SQL of messages: the timeline, threads, pins, and what is written. */
import type { Database } from '../../../platform/db/types.ts'
import type { ChannelTables, MentionRow, MessageRow } from '../tables.ts'
import { everybody } from '../rules.ts'
import type { ChannelTransaction } from './channels.ts'

export const mostPinned = 100

/** What a search asks of messages beside their words. */
export interface MessageSearch {
  readonly channelIds: readonly string[]
  /** Those with the words; null: whichever. */
  readonly ids: readonly string[] | null
  readonly authorId: string | null
  /** They name this account, or call everybody. */
  readonly names: string | null
  readonly hasFile: boolean
  readonly hasLink: boolean
  readonly isPinned: boolean
  readonly hasThread: boolean
  /** Integer milliseconds. */
  readonly after: number | null
  readonly before: number | null
}

export type MessageStore = ReturnType<typeof createMessageStore>

export const createMessageStore = (database: Database) => {
  const tables = database.tables<ChannelTables>()
  const shownIn = (channelId: string) =>
    tables.selectFrom('channel_messages').selectAll().where('channel_id', '=', channelId).where('shown', '=', 1)
  const repliesTo = (parentId: string) =>
    tables.selectFrom('channel_messages').selectAll().where('parent_id', '=', parentId)

  return {
    /** One of a channel that is there; null for everything else. */
    async find(id: string): Promise<MessageRow | null> {
      const row = await tables
        .selectFrom('channel_messages')
        .selectAll()
        .where('id', '=', id)
        .where('channel_id', 'in', (by) =>
          by.selectFrom('channels').select('channels.id').where('deleted_at', 'is', null),
        )
        .executeTakeFirst()
      return row ?? null
    },

    findIn: async (trx: ChannelTransaction, id: string): Promise<MessageRow | null> =>
      (await trx.selectFrom('channel_messages').selectAll().where('id', '=', id).executeTakeFirst()) ?? null,

    async listMany(ids: readonly string[]): Promise<MessageRow[]> {
      if (ids.length === 0) return []
      return await tables.selectFrom('channel_messages').selectAll().where('id', 'in', ids).execute()
    },

    /** Those of some channels that are all of what is asked for, the newest first; of these messages alone where they are given. */
    async search(wanted: MessageSearch, limit: number): Promise<MessageRow[]> {
      const { channelIds, ids, authorId, names, hasFile, hasLink, isPinned, hasThread, after, before } = wanted
      if (channelIds.length === 0 || ids?.length === 0) return []
      return await tables
        .selectFrom('channel_messages as m')
        .selectAll('m')
        .where('m.channel_id', 'in', channelIds)
        .where('m.deleted_at', 'is', null)
        .$if(ids !== null, (query) => query.where('m.id', 'in', ids ?? []))
        .$if(authorId !== null, (query) => query.where('m.author_id', '=', authorId))
        .$if(hasFile, (query) => query.where('m.attachment_count', '>', 0))
        .$if(hasLink, (query) => query.where('m.has_link', '=', 1))
        .$if(isPinned, (query) => query.where('m.pinned_at', 'is not', null))
        .$if(hasThread, (query) => query.where('m.reply_count', '>', 0))
        .$if(after !== null, (query) => query.where('m.created_at', '>=', after))
        .$if(before !== null, (query) => query.where('m.created_at', '<', before))
        .$if(names !== null, (query) =>
          query.where((by) =>
            by.exists(
              by
                .selectFrom('channel_mentions as n')
                .select('n.message_id')
                .whereRef('n.message_id', '=', 'm.id')
                .where('n.account_id', 'in', [names ?? '', everybody])
                .where('n.author_id', '<>', names ?? ''),
            ),
          ),
        )
        .orderBy('m.created_at', 'desc')
        .orderBy('m.id', 'desc')
        .limit(limit)
        .execute()
    },

    /** The last ones before a number and after another, the newest first. */
    before: (channelId: string, seq: number, limit: number, floor: number): Promise<MessageRow[]> =>
      shownIn(channelId).where('seq', '<', seq).where('seq', '>', floor).orderBy('seq', 'desc').limit(limit).execute(),

    /** The first ones after a number, the oldest first. */
    after: (channelId: string, seq: number, limit: number): Promise<MessageRow[]> =>
      shownIn(channelId).where('seq', '>', seq).orderBy('seq').limit(limit).execute(),

    /** The last replies before a number, the newest first. */
    replies: (parentId: string, seq: number, limit: number): Promise<MessageRow[]> =>
      repliesTo(parentId).where('seq', '<', seq).orderBy('seq', 'desc').limit(limit).execute(),

    /** Who began a thread and wrote in it before a number, the latest ones. */
    async writersIn(parentId: string, seq: number, limit: number): Promise<string[]> {
      const rows = await tables
        .selectFrom('channel_messages')
        .select('author_id')
        .where((by) => by.or([by('id', '=', parentId), by('parent_id', '=', parentId)]))
        .where('seq', '<', seq)
        .where('author_id', 'is not', null)
        .where('deleted_at', 'is', null)
        .groupBy('author_id')
        .orderBy((by) => by.fn.max('seq'), 'desc')
        .limit(limit)
        .execute()
      return rows.flatMap(({ author_id: id }) => id ?? [])
    },

    /** The pinned ones, the last pinned first. */
    pinned: (channelId: string): Promise<MessageRow[]> =>
      tables
        .selectFrom('channel_messages')
        .selectAll()
        .where('channel_id', '=', channelId)
        .where('pinned_at', 'is not', null)
        .orderBy('pinned_at', 'desc')
        .orderBy('seq', 'desc')
        .limit(mostPinned)
        .execute(),

    async countPinned(trx: ChannelTransaction, channelId: string): Promise<number> {
      const { count } = await trx
        .selectFrom('channel_messages')
        .select((by) => by.fn.countAll<number>().as('count'))
        .where('channel_id', '=', channelId)
        .where('pinned_at', 'is not', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** All that an account wrote in a channel, from a number on. */
    byAuthor: (channelId: string, authorId: string, after: number, limit: number): Promise<MessageRow[]> =>
      tables
        .selectFrom('channel_messages')
        .selectAll()
        .where('channel_id', '=', channelId)
        .where('author_id', '=', authorId)
        .where('deleted_at', 'is', null)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
        .execute(),

    /**
     * Gives the next number of a channel that is there and not archived, and notes when something was said; null
     * otherwise. The row stays locked until the transaction ends.
     */
    async nextSeq(trx: ChannelTransaction, channelId: string, now: number): Promise<number | null> {
      const row = await trx
        .updateTable('channels')
        .set((by) => ({ last_seq: by('last_seq', '+', 1), latest_message_at: now, active_at: now }))
        .where('id', '=', channelId)
        .where('archived_at', 'is', null)
        .where('deleted_at', 'is', null)
        .returning('last_seq')
        .executeTakeFirst()
      return row?.last_seq ?? null
    },

    async insert(trx: ChannelTransaction, row: MessageRow, mentions: readonly MentionRow[]): Promise<void> {
      await trx.insertInto('channel_messages').values(row).execute()
      if (mentions.length > 0) await trx.insertInto('channel_mentions').values(mentions).execute()
      if (row.parent_id !== null)
        await trx
          .updateTable('channel_messages')
          .set((by) => ({ reply_count: by('reply_count', '+', 1), last_reply_at: row.created_at }))
          .where('id', '=', row.parent_id)
          .execute()
    },

    async update(trx: ChannelTransaction, id: string, values: Partial<MessageRow>): Promise<void> {
      await trx.updateTable('channel_messages').set(values).where('id', '=', id).execute()
    },

    /** Takes away all that a message holds and leaves its place; a reply is no longer counted. */
    async bury(trx: ChannelTransaction, { id, parent_id: parentId }: MessageRow, now: number): Promise<void> {
      for (const table of [
        'channel_reactions',
        'channel_mentions',
        'channel_attachments',
        'channel_reminders',
      ] as const)
        await trx.deleteFrom(table).where('message_id', '=', id).execute()
      await trx
        .updateTable('channel_messages')
        .set({
          content: null,
          forwarded: null,
          deleted_at: now,
          edited_at: null,
          pinned_at: null,
          attachment_count: 0,
          has_link: 0,
          mention_count: 0,
          reaction_count: 0,
          event_seqs: '[]',
        })
        .where('id', '=', id)
        .execute()
      if (parentId !== null)
        await trx
          .updateTable('channel_messages')
          .set((by) => ({ reply_count: by('reply_count', '-', 1) }))
          .where('id', '=', parentId)
          .execute()
    },

    /** Messages from before a time, the oldest first; threads whose last reply is from before it. */
    listOld: (channelId: string, before: number, limit: number): Promise<MessageRow[]> =>
      tables
        .selectFrom('channel_messages')
        .selectAll()
        .where('channel_id', '=', channelId)
        .where((by) => by(by.fn.coalesce('last_reply_at', 'created_at'), '<', before))
        .where((by) =>
          by.not(
            by.exists(
              by
                .selectFrom('channel_messages as root')
                .select('root.id')
                .whereRef('root.id', '=', 'channel_messages.parent_id')
                .where('root.last_reply_at', '>=', before),
            ),
          ),
        )
        .orderBy('seq')
        .limit(limit)
        .execute(),

    /** Removes messages with what hangs on them; their files are removed apart. */
    async removeMany(trx: ChannelTransaction, ids: readonly string[]): Promise<void> {
      for (const table of ['channel_reactions', 'channel_mentions', 'channel_attachments'] as const)
        await trx.deleteFrom(table).where('message_id', 'in', ids).execute()
      for (const table of ['channel_preferences', 'channel_drafts', 'channel_thread_reads'] as const)
        await trx.deleteFrom(table).where('root_id', 'in', ids).execute()
      await trx.deleteFrom('channel_reminders').where('message_id', 'in', ids).execute()
      await trx.deleteFrom('channel_messages').where('id', 'in', ids).execute()
    },

    /** Leaves what an account wrote without its author, a slice at a time; false: there was nothing left. */
    forgetAuthor: (accountId: string, slice: number): Promise<boolean> =>
      database.write<ChannelTables, boolean>(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('channel_messages')
          .set({ author_id: null, from_chat: null })
          .where('id', 'in', (by) =>
            by.selectFrom('channel_messages').select('id').where('author_id', '=', accountId).limit(slice),
          )
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }),
  }
}
