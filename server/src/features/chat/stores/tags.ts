/** SQL of tags, and of which chats have them. */
import type { ExpressionBuilder, Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { ChatTables, TagRow } from '../tables.ts'

type Trx = Transaction<ChatTables>

export interface CountedTag extends TagRow {
  readonly chats: number
}

/** What is to be so of some chats. */
export interface TagChange {
  readonly accountId: string
  readonly chatIds: readonly string[]
  /** Tags to have, new ones sealed. */
  readonly add: readonly TagRow[]
  /** Digests of tags not to have; `others`: all that are not among those to have. */
  readonly remove: readonly string[] | 'others'
  readonly most: { readonly ofAccount: number; readonly ofChat: number }
}

/** The condition that a chat has the tag of an account. Not by a look at each chat: few of them may have it. */
export const hasTag = (accountId: string, digest: string) => (eb: ExpressionBuilder<ChatTables, 'chat_sessions'>) =>
  eb(
    'chat_sessions.id',
    'in',
    eb
      .selectFrom('chat_tag_uses as use')
      .innerJoin('chat_tags as tag', 'tag.id', 'use.tag_id')
      .select('use.chat_id')
      .where('tag.account_id', '=', accountId)
      .where('tag.digest', '=', digest),
  )

export const createTagStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()

  const read = async (on: Pick<Trx, 'selectFrom'>, id: string, accountId: string): Promise<TagRow | null> =>
    (await on
      .selectFrom('chat_tags')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst()) ?? null

  /** Deletes those that no chat has any more, not even one in the trash. Gives whether there were any. */
  const dropUnused = async (trx: Trx, accountId: string): Promise<boolean> => {
    const { numDeletedRows } = await trx
      .deleteFrom('chat_tags')
      .where('account_id', '=', accountId)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb.selectFrom('chat_tag_uses').select('chat_id').whereRef('chat_tag_uses.tag_id', '=', 'chat_tags.id'),
          ),
        ),
      )
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  return {
    /** All of an account, with how many chats that are in lists have each. */
    async list(accountId: string, id?: string): Promise<CountedTag[]> {
      const rows = await db()
        .selectFrom('chat_tags as tag')
        .selectAll('tag')
        .select((eb) =>
          eb
            .selectFrom('chat_tag_uses as use')
            .innerJoin('chat_sessions as chat', 'chat.id', 'use.chat_id')
            .select((by) => by.fn.countAll<number>().as('chats'))
            .whereRef('use.tag_id', '=', 'tag.id')
            .where('chat.deleted_at', 'is', null)
            .where('chat.ready', '=', 1)
            .where('chat.draft', '=', 0)
            .where('chat.expires_at', 'is', null)
            .as('chats'),
        )
        .where('tag.account_id', '=', accountId)
        .$if(id !== undefined, (query) => query.where('tag.id', '=', id ?? ''))
        .execute()
      return rows.map((row) => ({ ...row, chats: Number(row.chats) }))
    },

    /** The tags that chats have, one row for each chat and tag. */
    ofChats: (ids: readonly string[]): Promise<(Pick<TagRow, 'id' | 'name'> & { chat_id: string })[]> =>
      ids.length === 0
        ? Promise.resolve([])
        : db()
            .selectFrom('chat_tag_uses as use')
            .innerJoin('chat_tags as tag', 'tag.id', 'use.tag_id')
            .select(['use.chat_id', 'tag.id', 'tag.name'])
            .where('use.chat_id', 'in', ids)
            .execute(),

    /**
     * Changes the tags of live chats of an account, and gives the ids of these; tags that no chat has any more are gone.
     * Where there would be too many, it says of what, and the transaction has to be rolled back.
     */
    async change(
      trx: Trx,
      { accountId, chatIds, add, remove, most }: TagChange,
    ): Promise<readonly string[] | keyof TagChange['most']> {
      const live = await trx
        .selectFrom('chat_sessions')
        .select('id')
        .where('account_id', '=', accountId)
        .where('id', 'in', chatIds)
        .where('deleted_at', 'is', null)
        .execute()
      const ids = live.map(({ id }) => id)
      if (ids.length === 0) return []
      const digests = add.map(({ digest }) => digest)
      const leave = trx.deleteFrom('chat_tag_uses').where('chat_id', 'in', ids)
      if (remove === 'others') {
        await leave
          .where('tag_id', 'not in', (eb) =>
            eb
              .selectFrom('chat_tags')
              .select('id')
              .where('account_id', '=', accountId)
              .where('digest', 'in', ['', ...digests]),
          )
          .execute()
      } else if (remove.length > 0) {
        await leave
          .where('tag_id', 'in', (eb) =>
            eb.selectFrom('chat_tags').select('id').where('account_id', '=', accountId).where('digest', 'in', remove),
          )
          .execute()
      }
      if (add.length > 0) {
        await trx
          .insertInto('chat_tags')
          .values([...add])
          .onConflict((on) => on.columns(['account_id', 'digest']).doNothing())
          .execute()
        const tags = await trx
          .selectFrom('chat_tags')
          .select('id')
          .where('account_id', '=', accountId)
          .where('digest', 'in', digests)
          .execute()
        await trx
          .insertInto('chat_tag_uses')
          .values(ids.flatMap((chat_id) => tags.map(({ id: tag_id }) => ({ chat_id, tag_id }))))
          .onConflict((on) => on.columns(['chat_id', 'tag_id']).doNothing())
          .execute()
      }
      await dropUnused(trx, accountId)
      if (add.length === 0) return ids
      const full = await trx
        .selectFrom('chat_tag_uses')
        .select('chat_id')
        .where('chat_id', 'in', ids)
        .groupBy('chat_id')
        .having((eb) => eb.fn.countAll(), '>', most.ofChat)
        .limit(1)
        .executeTakeFirst()
      if (full) return 'ofChat'
      const { count } = await trx
        .selectFrom('chat_tags')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return Number(count) > most.ofAccount ? 'ofAccount' : ids
    },

    /** Gives a chat the tags of another of the same account. */
    copy: (fromId: string, toId: string): Promise<void> =>
      // One statement of a transaction that is tried again: a tag may be deleted meanwhile.
      database.write<ChatTables, void>(async (trx) => {
        await trx
          .insertInto('chat_tag_uses')
          .columns(['chat_id', 'tag_id'])
          .expression((eb) =>
            eb
              .selectFrom('chat_tag_uses as use')
              .select([eb.val(toId).as('chat_id'), 'use.tag_id'])
              .where('use.chat_id', '=', fromId),
          )
          .execute()
      }),

    /**
     * Calls a tag otherwise. Where the account has one of that name, its chats get that one, which is then called so.
     * Gives the id of the tag that has the name now; null where there is no such tag.
     */
    rename: (
      id: string,
      accountId: string,
      digest: string,
      nameOf: (id: string) => Uint8Array,
    ): Promise<string | null> =>
      database.write<ChatTables, string | null>(async (trx) => {
        const tag = await read(trx, id, accountId)
        if (!tag) return null
        const other = await trx
          .selectFrom('chat_tags')
          .select('id')
          .where('account_id', '=', accountId)
          .where('digest', '=', digest)
          .where('id', '!=', id)
          .executeTakeFirst()
        const kept = other?.id ?? id
        if (other) {
          const uses = await trx.selectFrom('chat_tag_uses').select('chat_id').where('tag_id', '=', id).execute()
          for (let start = 0; start < uses.length; start += atOnce) {
            await trx
              .insertInto('chat_tag_uses')
              .values(uses.slice(start, start + atOnce).map(({ chat_id }) => ({ chat_id, tag_id: kept })))
              .onConflict((on) => on.columns(['chat_id', 'tag_id']).doNothing())
              .execute()
          }
          await trx.deleteFrom('chat_tags').where('id', '=', id).execute()
        }
        await trx
          .updateTable('chat_tags')
          .set({ digest, name: nameOf(kept) })
          .where('id', '=', kept)
          .execute()
        return kept
      }),

    /** False where there is no such tag. */
    async remove(id: string, accountId: string): Promise<boolean> {
      const { numDeletedRows } = await db()
        .deleteFrom('chat_tags')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    dropUnused,
  }
}

/** Rows of one statement. */
const atOnce = 500
