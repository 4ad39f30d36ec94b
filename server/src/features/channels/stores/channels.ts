/** SQL of channels, as somebody sees them. */
import { type RawBuilder, type Transaction, sql } from 'kysely'
import { mostUnread } from '@atrium/contract/channels'
import type { MembershipRow, PlaceRow } from '../../../core/resources/index.ts'
import { cutPage, decodeCursor } from '../../../platform/db/cursor.ts'
import { type Database, inTables, type AnyTransaction } from '../../../platform/db/types.ts'
import type { ChannelRow, ChannelTables, MemberRow } from '../tables.ts'

/** A channel as an account sees it. */
export type SeenChannel = ChannelRow & {
  /** null: the account is no member. */
  readonly role: MemberRow['role'] | null
  readonly read_seq: number | null
  readonly unread: number
  readonly mentions: number
}

/** Where all channels stand, for the question who may see them: each belongs to itself. */
export const channelPlaces = sql<PlaceRow>`select id, 'channel:' || id as owner_id, null as within_id, 1 as shown
  from channels where deleted_at is null`

/** What members may: read and write, and as moderators and owners more. */
export const channelMemberships = sql<MembershipRow>`select channel_id as id, account_id,
  case role when 'owner' then 'owner' when 'moderator' then 'admin' else 'write' end as access_right from channel_members`

export type ChannelStore = ReturnType<typeof createChannelStore>
export type ChannelTransaction = Transaction<ChannelTables>

export const createChannelStore = (database: Database) => {
  const tables = database.tables<ChannelTables>()

  const seen = async (
    accountId: string,
    from: RawBuilder<unknown>,
    tail: RawBuilder<unknown>,
  ): Promise<SeenChannel[]> => {
    const { rows } = await sql<SeenChannel>`select c.*, m.role, m.read_seq,
      case when m.role is null or m.read_seq >= c.last_seq then 0 else (select count(*) from (select 1 from channel_messages as x
        where x.channel_id = c.id and x.shown = 1 and x.seq > m.read_seq and x.deleted_at is null
          and (x.author_id is null or x.author_id <> ${accountId}) limit ${sql.lit(mostUnread)}) as u) end as unread,
      case when m.role is null or m.read_seq >= c.last_seq then 0 else (select count(*) from (select 1 from channel_mentions as x
        where x.channel_id = c.id and x.account_id in (${accountId}, '*') and x.seq > m.read_seq
          and x.author_id <> ${accountId} limit ${sql.lit(mostUnread)}) as n) end as mentions
      from ${from} where c.deleted_at is null ${tail}`.execute(tables)
    return rows.map((row) => Object.assign(row, { unread: Number(row.unread), mentions: Number(row.mentions) }))
  }
  const own = (accountId: string) =>
    sql`channel_members as m join channels as c on c.id = m.channel_id and m.account_id = ${accountId}`
  const all = (accountId: string) =>
    sql`channels as c left join channel_members as m on m.channel_id = c.id and m.account_id = ${accountId}`
  const behind = (column: 'active_at' | 'created_at', cursor: string | undefined): RawBuilder<unknown> => {
    if (cursor === undefined) return sql``
    const { time, id } = decodeCursor(cursor)
    return sql`and (c.${sql.ref(column)} < ${time} or (c.${sql.ref(column)} = ${time} and c.id < ${id}))`
  }

  return {
    /** The channels that an account is in, latest activity first. Refuses with `bad_cursor`. */
    async page(accountId: string, limit: number, cursor: string | undefined) {
      const tail = sql`${behind('active_at', cursor)} order by c.active_at desc, c.id desc limit ${limit + 1}`
      return cutPage(await seen(accountId, own(accountId), tail), limit, ({ active_at: time, id }) => ({ time, id }))
    },

    /** The public ones that are not archived, newest first. Refuses with `bad_cursor`. */
    async pagePublic(accountId: string, limit: number, cursor: string | undefined) {
      const tail = sql`and c.type = 'public' and c.archived_at is null ${behind('created_at', cursor)}
        order by c.created_at desc, c.id desc limit ${limit + 1}`
      return cutPage(await seen(accountId, all(accountId), tail), limit, ({ created_at: time, id }) => ({ time, id }))
    },

    /** One that the account is in, or a public one; null where there is none. */
    async read(channelId: string, accountId: string): Promise<SeenChannel | null> {
      const tail = sql`and c.id = ${channelId} and (m.role is not null or c.type = 'public')`
      return (await seen(accountId, all(accountId), tail))[0] ?? null
    },

    /** The channel itself, for whoever may do something in it. */
    async find(channelId: string): Promise<ChannelRow | null> {
      const row = await tables
        .selectFrom('channels')
        .selectAll()
        .where('id', '=', channelId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return row ?? null
    },

    findIn: async (trx: AnyTransaction, channelId: string): Promise<ChannelRow | null> => {
      const row = await inTables<ChannelTables>(trx)
        .selectFrom('channels')
        .selectAll()
        .where('id', '=', channelId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return row ?? null
    },

    async listMany(ids: readonly string[]): Promise<ChannelRow[]> {
      if (ids.length === 0) return []
      return await tables
        .selectFrom('channels')
        .selectAll()
        .where('id', 'in', ids)
        .where('deleted_at', 'is', null)
        .execute()
    },

    /** The ids of all channels that an account is in. */
    async idsOf(accountId: string): Promise<string[]> {
      const rows = await tables
        .selectFrom('channel_members as m')
        .innerJoin('channels as c', 'c.id', 'm.channel_id')
        .select('m.channel_id')
        .where('m.account_id', '=', accountId)
        .where('c.deleted_at', 'is', null)
        .execute()
      return rows.map(({ channel_id: id }) => id)
    },

    /** How many that are no direct messages an account created. */
    async countCreated(accountId: string): Promise<number> {
      const { count } = await tables
        .selectFrom('channels')
        .select((by) => by.fn.countAll<number>().as('count'))
        .where('created_by', '=', accountId)
        .where('type', 'in', ['public', 'private'])
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Adds a channel with its first members, within a transaction. */
    async insert(trx: ChannelTransaction, row: ChannelRow, members: readonly MemberRow[]): Promise<void> {
      await trx.insertInto('channels').values(row).execute()
      for (let at = 0; at < members.length; at += 100)
        await trx
          .insertInto('channel_members')
          .values(members.slice(at, at + 100))
          .execute()
    },

    /** Adds the direct message of some people unless there is one; gives the id of the one that is there, or null. */
    async insertDirect(
      trx: ChannelTransaction,
      row: ChannelRow,
      members: readonly MemberRow[],
    ): Promise<string | null> {
      const there = await trx.selectFrom('channels').select('id').where('people', '=', row.people).executeTakeFirst()
      if (there) return there.id
      await this.insert(trx, row, members)
      return null
    },

    /** Changes a channel that is there; gives it as it is then. */
    async update(trx: ChannelTransaction, channelId: string, values: Partial<ChannelRow>): Promise<ChannelRow | null> {
      const row = await trx
        .updateTable('channels')
        .set(values)
        .where('id', '=', channelId)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
      return row ?? null
    },

    async forgetCreator(accountId: string): Promise<void> {
      await tables.updateTable('channels').set({ created_by: null }).where('created_by', '=', accountId).execute()
    },

    /** Those that keep messages for some days only. */
    listKeeping: (): Promise<ChannelRow[]> =>
      tables
        .selectFrom('channels')
        .selectAll()
        .where('retention_days', 'is not', null)
        .where('deleted_at', 'is', null)
        .execute(),

    /** Deleted ones whose content is still to be removed. */
    async listDeleted(limit: number): Promise<string[]> {
      const rows = await tables
        .selectFrom('channels')
        .select('id')
        .where('deleted_at', 'is not', null)
        .orderBy('deleted_at')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** Removes a slice of what a deleted channel holds; false: there is nothing left, and the channel itself is gone. */
    removeSlice: (channelId: string, slice: number): Promise<boolean> =>
      database.write<ChannelTables, boolean>(async (trx) => {
        const ids = (
          await trx
            .selectFrom('channel_messages')
            .select('id')
            .where('channel_id', '=', channelId)
            .orderBy('seq')
            .limit(slice)
            .execute()
        ).map(({ id }) => id)
        if (ids.length > 0) {
          for (const table of ['channel_reactions', 'channel_mentions'] as const)
            await trx.deleteFrom(table).where('message_id', 'in', ids).execute()
          await trx.deleteFrom('channel_messages').where('id', 'in', ids).execute()
          return true
        }
        for (const table of [
          'channel_attachments',
          'channel_preferences',
          'channel_drafts',
          'channel_reminders',
          'channel_thread_reads',
          'channel_members',
        ] as const)
          await trx.deleteFrom(table).where('channel_id', '=', channelId).execute()
        await trx.deleteFrom('channels').where('id', '=', channelId).execute()
        return false
      }),
  }
}
