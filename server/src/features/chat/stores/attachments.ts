/** SQL of attachments and of where they are used. */
import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { AttachmentRow, ChatTables, MessageRow } from '../tables.ts'

type Trx = Transaction<ChatTables>

export const createAttachmentStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()

  /** What each holder holds, in its order. */
  const ofHolders = async (holderIds: readonly string[]): Promise<Map<string, AttachmentRow[]>> => {
    const held = new Map<string, AttachmentRow[]>()
    if (holderIds.length === 0) return held
    const rows = await db()
      .selectFrom('chat_attachment_uses as use')
      .innerJoin('chat_attachments as attachment', 'attachment.id', 'use.attachment_id')
      .selectAll('attachment')
      .select('use.holder_id')
      .where('use.holder_id', 'in', holderIds)
      .orderBy('use.holder_id')
      .orderBy('use.place')
      .execute()
    for (const { holder_id, ...row } of rows) {
      const list = held.get(holder_id)
      if (list) list.push(row)
      else held.set(holder_id, [row])
    }
    return held
  }

  return {
    ofHolders,

    /** What messages hold; asks only for those that hold something. */
    ofMessages: (rows: readonly Pick<MessageRow, 'id' | 'attachment_count'>[]) =>
      ofHolders(rows.flatMap((row) => (row.attachment_count > 0 ? row.id : []))),

    async insert(row: AttachmentRow): Promise<void> {
      await db().insertInto('chat_attachments').values(row).execute()
    },

    /** Keeps the printed words of a picture. */
    async savePictureText(row: Pick<AttachmentRow, 'id' | 'print' | 'print_tokens'>): Promise<void> {
      const { id, print, print_tokens } = row
      await db().updateTable('chat_attachments').set({ print, print_tokens }).where('id', '=', id).execute()
    },

    async read(id: string, accountId: string): Promise<AttachmentRow | null> {
      const row = await db()
        .selectFrom('chat_attachments')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ?? null
    },

    /** An attachment of a message that is not deleted. */
    async sentIn(chatId: string, id: string): Promise<AttachmentRow | null> {
      const row = await db()
        .selectFrom('chat_attachments')
        .selectAll()
        .where('id', '=', id)
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('chat_attachment_uses as use')
            .innerJoin('chat_messages as message', 'message.id', 'use.holder_id')
            .select('use.attachment_id')
            .where('use.attachment_id', '=', id)
            .where('message.chat_id', '=', chatId)
            .where('message.deleted_at', 'is', null),
        )
        .executeTakeFirst()
      return row ?? null
    },

    /** The account's attachments of these ids, in that order; fewer when some are not there. */
    async readMany(ids: readonly string[], accountId: string): Promise<AttachmentRow[]> {
      if (ids.length === 0) return []
      const rows = await db()
        .selectFrom('chat_attachments')
        .selectAll()
        .where('id', 'in', ids)
        .where('account_id', '=', accountId)
        .execute()
      const byId = new Map(rows.map((row) => [row.id, row]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },

    /** Text attachments of the messages of a chat, each once. */
    async textsOfChat(chatId: string): Promise<AttachmentRow[]> {
      return db()
        .selectFrom('chat_attachments')
        .selectAll()
        .where('kind', '=', 'text')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('chat_attachment_uses as use')
            .innerJoin('chat_messages as message', 'message.id', 'use.holder_id')
            .select('use.attachment_id')
            .where('use.chat_id', '=', chatId)
            .where('message.deleted_at', 'is', null),
        )
        .orderBy('created_at')
        .orderBy('id')
        .execute()
    },

    /** Whether all of these attachments are there, and the account's. */
    async ownsAllIn(trx: Trx, accountId: string, ids: readonly string[]): Promise<boolean> {
      if (ids.length === 0) return true
      const rows = await trx
        .selectFrom('chat_attachments')
        .select('id')
        .where('id', 'in', ids)
        .where('account_id', '=', accountId)
        .execute()
      return rows.length === ids.length
    },

    /** Puts attachments into a holder, in place of what it held. */
    async assign(trx: Trx, holderId: string, chatId: string | null, ids: readonly string[]): Promise<void> {
      await trx.deleteFrom('chat_attachment_uses').where('holder_id', '=', holderId).execute()
      await assignNew(trx, holderId, chatId, ids)
    },

    /** Puts attachments into a holder that is new. */
    assignNew,

    /** Puts a picture at a place of an answer, and tells what stood there. `gone`: the answer is not there any more. */
    async draw(
      trx: Trx,
      row: AttachmentRow,
      { chatId, messageId, place }: { readonly chatId: string; readonly messageId: string; readonly place: number },
    ): Promise<{ readonly replaced: string | null } | 'gone'> {
      const message = await trx
        .selectFrom('chat_messages')
        .select('attachment_count')
        .where('id', '=', messageId)
        .where('chat_id', '=', chatId)
        .executeTakeFirst()
      if (!message) return 'gone'
      await trx.insertInto('chat_attachments').values(row).execute()
      const at = await trx
        .selectFrom('chat_attachment_uses')
        .select('attachment_id')
        .where('holder_id', '=', messageId)
        .where('place', '=', place)
        .executeTakeFirst()
      const use = { holder_id: messageId, place, attachment_id: row.id, chat_id: chatId }
      if (at) {
        await trx
          .updateTable('chat_attachment_uses')
          .set({ attachment_id: row.id })
          .where('holder_id', '=', messageId)
          .where('place', '=', place)
          .execute()
        return { replaced: at.attachment_id }
      }
      await trx.insertInto('chat_attachment_uses').values(use).execute()
      await trx
        .updateTable('chat_messages')
        .set({ attachment_count: message.attachment_count + 1 })
        .where('id', '=', messageId)
        .execute()
      return { replaced: null }
    },

    /** Whether a message or a queued prompt uses it; a draft does not count. */
    async isSent(id: string): Promise<boolean> {
      const use = await db()
        .selectFrom('chat_attachment_uses')
        .select('holder_id')
        .where('attachment_id', '=', id)
        .where('holder_id', 'not like', 'draft:%')
        .limit(1)
        .executeTakeFirst()
      return use !== undefined
    },

    /** Takes from holders what they hold. Gives the ids of the attachments that nothing uses any more, without their rows. */
    async dropHolders(trx: Trx, holderIds: readonly string[]): Promise<string[]> {
      const dropped: string[] = []
      for (let i = 0; i < holderIds.length; i += 500) {
        const rows = await trx
          .deleteFrom('chat_attachment_uses')
          .where('holder_id', 'in', holderIds.slice(i, i + 500))
          .returning('attachment_id')
          .execute()
        dropped.push(...rows.map((row) => row.attachment_id))
      }
      return removeUnusedOf(trx, dropped)
    },

    /** As `dropHolders`, of all that a chat holds in its messages, its queue and its draft. */
    async dropChat(trx: Trx, chatId: string): Promise<string[]> {
      const rows = await trx
        .deleteFrom('chat_attachment_uses')
        .where('chat_id', '=', chatId)
        .returning('attachment_id')
        .execute()
      return removeUnusedOf(
        trx,
        rows.map((row) => row.attachment_id),
      )
    },

    /** What messages, queued prompts and the draft of a chat use. */
    async idsOfChat(chatId: string): Promise<string[]> {
      const rows = await db()
        .selectFrom('chat_attachment_uses')
        .select('attachment_id')
        .distinct()
        .where('chat_id', '=', chatId)
        .execute()
      return rows.map((row) => row.attachment_id)
    },

    async remove(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return
      await db().deleteFrom('chat_attachments').where('id', 'in', ids).execute()
    },

    /** Attachments that were uploaded before a time and are used nowhere. */
    async unused(before: number, limit: number): Promise<AttachmentRow[]> {
      return db()
        .selectFrom('chat_attachments as attachment')
        .selectAll()
        .where('created_at', '<', before)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('chat_attachment_uses as use')
                .select('use.holder_id')
                .whereRef('use.attachment_id', '=', 'attachment.id'),
            ),
          ),
        )
        .orderBy('created_at')
        .limit(limit)
        .execute()
    },

    /** Messages hold them; what is in no message is not sent yet. */
    async sumOf(accountId: string): Promise<{ count: number; bytes: number; trashedBytes: number }> {
      const row = await db()
        .selectFrom('chat_attachments')
        .select((by) => [
          by.fn.countAll<number>().as('count'),
          by.fn.coalesce(by.fn.sum<number>('size_bytes'), by.lit(0)).as('bytes'),
        ])
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return { count: Number(row.count), bytes: Number(row.bytes), trashedBytes: 0 }
    },

    /** The largest first, each with a chat that it is in. */
    largest: (accountId: string, limit: number): Promise<(AttachmentRow & { chat_id: string | null })[]> =>
      db()
        .selectFrom('chat_attachments as attachment')
        .selectAll('attachment')
        .select((by) =>
          by
            .selectFrom('chat_attachment_uses as use')
            .select((use) => use.fn.min<string | null>('use.chat_id').as('chat_id'))
            .whereRef('use.attachment_id', '=', 'attachment.id')
            .as('chat_id'),
        )
        .where('account_id', '=', accountId)
        .orderBy('size_bytes', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute(),

    async idsOfAccount(accountId: string): Promise<string[]> {
      const rows = await db().selectFrom('chat_attachments').select('id').where('account_id', '=', accountId).execute()
      return rows.map((row) => row.id)
    },
  }
}

const assignNew = async (trx: Trx, holderId: string, chatId: string | null, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await trx
    .insertInto('chat_attachment_uses')
    .values(ids.map((id, place) => ({ holder_id: holderId, place, attachment_id: id, chat_id: chatId })))
    .execute()
}

const removeUnusedOf = async (trx: Trx, ids: readonly string[]): Promise<string[]> => {
  const removed: string[] = []
  const each = [...new Set(ids)]
  for (let i = 0; i < each.length; i += 500) {
    const rows = await trx
      .deleteFrom('chat_attachments')
      .where('id', 'in', each.slice(i, i + 500))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('chat_attachment_uses as use')
              .select('use.holder_id')
              .whereRef('use.attachment_id', '=', 'chat_attachments.id'),
          ),
        ),
      )
      .returning('id')
      .execute()
    removed.push(...rows.map((row) => row.id))
  }
  return removed
}
