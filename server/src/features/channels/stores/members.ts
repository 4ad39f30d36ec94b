/** SQL of who is in a channel. */
import type { ChannelRole } from '@atrium/contract/channels'
import { type Kysely, sql } from 'kysely'
import { cutPage, decodeCursor } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { ChannelTables, MemberRow } from '../tables.ts'
import type { ChannelTransaction } from './channels.ts'

/** So many people are in a channel at most. */
export const mostMembers = 5_000

export type MemberStore = ReturnType<typeof createMemberStore>

export const createMemberStore = (database: Database) => {
  const tables = database.tables<ChannelTables>()

  return {
    async find(channelId: string, accountId: string): Promise<MemberRow | null> {
      const row = await tables
        .selectFrom('channel_members')
        .selectAll()
        .where('channel_id', '=', channelId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ?? null
    },

    /** The longest-serving first. Refuses with `bad_cursor`. */
    async page(channelId: string, limit: number, cursor: string | undefined) {
      const after = cursor === undefined ? null : decodeCursor(cursor)
      const rows = await tables
        .selectFrom('channel_members')
        .selectAll()
        .where('channel_id', '=', channelId)
        .$if(after !== null, (query) =>
          query.where(
            sql<boolean>`(joined_at > ${after?.time} or (joined_at = ${after?.time} and account_id > ${after?.id}))`,
          ),
        )
        .orderBy('joined_at')
        .orderBy('account_id')
        .limit(limit + 1)
        .execute()
      return cutPage(rows, limit, ({ joined_at: time, account_id: id }) => ({ time, id }))
    },

    /** Everybody in each of some channels, which are direct messages. */
    async ofChannels(channelIds: readonly string[]): Promise<Map<string, string[]>> {
      if (channelIds.length === 0) return new Map()
      const rows = await tables
        .selectFrom('channel_members')
        .select(['channel_id', 'account_id'])
        .where('channel_id', 'in', channelIds)
        .orderBy('joined_at')
        .orderBy('account_id')
        .execute()
      const grouped = Map.groupBy(rows, ({ channel_id: id }) => id)
      return new Map([...grouped].map(([id, members]) => [id, members.map(({ account_id: accountId }) => accountId)]))
    },

    /** Everybody in a channel. */
    async idsOf(channelId: string): Promise<string[]> {
      const rows = await tables
        .selectFrom('channel_members')
        .select('account_id')
        .where('channel_id', '=', channelId)
        .execute()
      return rows.map(({ account_id: id }) => id)
    },

    /** Those of some accounts that are in a channel. */
    async among(
      channelId: string,
      accountIds: readonly string[],
      from: Kysely<ChannelTables> = tables,
    ): Promise<string[]> {
      if (accountIds.length === 0) return []
      const rows = await from
        .selectFrom('channel_members')
        .select('account_id')
        .where('channel_id', '=', channelId)
        .where('account_id', 'in', accountIds)
        .execute()
      return rows.map(({ account_id: id }) => id)
    },

    /**
     * Adds a member to a channel that is not archived, or gives the one that is there already. Refusals come as words, as
     * a transaction that is run again must not throw them.
     */
    async add(
      trx: ChannelTransaction,
      member: MemberRow,
    ): Promise<{ readonly member: MemberRow; readonly isNew: boolean } | 'gone' | 'archived' | 'full'> {
      const channel = await trx
        .selectFrom('channels')
        .select(['archived_at', 'member_count', 'last_seq'])
        .where('id', '=', member.channel_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (!channel) return 'gone'
      const there = await trx
        .selectFrom('channel_members')
        .selectAll()
        .where('channel_id', '=', member.channel_id)
        .where('account_id', '=', member.account_id)
        .executeTakeFirst()
      if (there) return { member: there, isNew: false }
      if (channel.archived_at !== null) return 'archived'
      if (channel.member_count >= mostMembers) return 'full'
      // What was said before is no news to who comes later.
      const row = { ...member, read_seq: channel.last_seq, from_seq: channel.last_seq }
      await trx.insertInto('channel_members').values(row).execute()
      await trx
        .updateTable('channels')
        .set((by) => ({ member_count: by('member_count', '+', 1) }))
        .where('id', '=', member.channel_id)
        .execute()
      return { member: row, isNew: true }
    },

    /** Notes the place of the event that tells of somebody who was just added. */
    async noteEvent(trx: ChannelTransaction, { channel_id, account_id }: MemberRow, place: number): Promise<void> {
      await trx
        .updateTable('channel_members')
        .set({ from_event: place })
        .where('channel_id', '=', channel_id)
        .where('account_id', '=', account_id)
        .execute()
    },

    /** Changes the role of a member. `last-owner`: there would be no owner. */
    async changeRole(
      trx: ChannelTransaction,
      channelId: string,
      accountId: string,
      role: ChannelRole,
    ): Promise<MemberRow | 'gone' | 'last-owner'> {
      const there = await memberIn(trx, channelId, accountId)
      if (!there) return 'gone'
      if (there.role === 'owner' && role !== 'owner' && (await countOwners(trx, channelId)) < 2) return 'last-owner'
      await trx
        .updateTable('channel_members')
        .set({ role })
        .where('channel_id', '=', channelId)
        .where('account_id', '=', accountId)
        .execute()
      return { ...there, role }
    },

    /** Removes a member, if that one may be removed. `last-owner`: there would be people without an owner. */
    async remove(
      trx: ChannelTransaction,
      channelId: string,
      accountId: string,
      mayRemove: (member: MemberRow) => boolean,
    ): Promise<MemberRow | 'gone' | 'refused' | 'last-owner'> {
      const there = await memberIn(trx, channelId, accountId)
      if (!there) return 'gone'
      if (!mayRemove(there)) return 'refused'
      if (there.role === 'owner' && (await countOwners(trx, channelId)) < 2) return 'last-owner'
      await take(trx, channelId, accountId)
      return there
    },

    /** Who may take over from an owner: the longest-serving moderator and member. */
    async heirsOf(channelId: string, but: string): Promise<string[]> {
      const ids: string[] = []
      for (const role of ['moderator', 'member'] as const) {
        const row = await tables
          .selectFrom('channel_members')
          .select('account_id')
          .where('channel_id', '=', channelId)
          .where('account_id', '<>', but)
          .where('role', '=', role)
          .orderBy('joined_at')
          .orderBy('account_id')
          .limit(1)
          .executeTakeFirst()
        if (row) ids.push(row.account_id)
      }
      return ids
    },

    /** Takes somebody out whose account goes; gives who is left, the longest-serving first. */
    async removeFor(trx: ChannelTransaction, channelId: string, accountId: string): Promise<MemberRow[]> {
      await take(trx, channelId, accountId)
      return await trx
        .selectFrom('channel_members')
        .selectAll()
        .where('channel_id', '=', channelId)
        .orderBy('joined_at')
        .orderBy('account_id')
        .execute()
    },

    /** Moves what somebody has read forward; gives where it is then, or null where they are no member. */
    async moveForward(
      trx: ChannelTransaction,
      channelId: string,
      accountId: string,
      seq: number,
    ): Promise<number | null> {
      await trx
        .updateTable('channel_members')
        .set({ read_seq: seq })
        .where('channel_id', '=', channelId)
        .where('account_id', '=', accountId)
        .where('read_seq', '<', seq)
        .execute()
      return (await memberIn(trx, channelId, accountId))?.read_seq ?? null
    },

    /** What somebody says is read by them, where they had read all that stands before. */
    async follow(trx: ChannelTransaction, channelId: string, accountId: string, seq: number): Promise<void> {
      await trx
        .updateTable('channel_members')
        .set({ read_seq: seq })
        .where('channel_id', '=', channelId)
        .where('account_id', '=', accountId)
        .where('read_seq', '=', seq - 1)
        .execute()
    },

    /** Moves it to a place, forward or back. */
    async moveTo(trx: ChannelTransaction, channelId: string, accountId: string, seq: number): Promise<number | null> {
      await trx
        .updateTable('channel_members')
        .set({ read_seq: seq })
        .where('channel_id', '=', channelId)
        .where('account_id', '=', accountId)
        .execute()
      return (await memberIn(trx, channelId, accountId))?.read_seq ?? null
    },
  }
}

const memberIn = (trx: ChannelTransaction, channelId: string, accountId: string): Promise<MemberRow | undefined> =>
  trx
    .selectFrom('channel_members')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()

const countOwners = async (trx: ChannelTransaction, channelId: string): Promise<number> => {
  const { count } = await trx
    .selectFrom('channel_members')
    .select((by) => by.fn.countAll<number>().as('count'))
    .where('channel_id', '=', channelId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return Number(count)
}

const take = async (trx: ChannelTransaction, channelId: string, accountId: string): Promise<void> => {
  const { numDeletedRows } = await trx
    .deleteFrom('channel_members')
    .where('channel_id', '=', channelId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return
  for (const table of ['channel_preferences', 'channel_drafts', 'channel_reminders', 'channel_thread_reads'] as const)
    await trx.deleteFrom(table).where('channel_id', '=', channelId).where('account_id', '=', accountId).execute()
  await trx
    .updateTable('channels')
    .set((by) => ({ member_count: by('member_count', '-', 1) }))
    .where('id', '=', channelId)
    .execute()
}
