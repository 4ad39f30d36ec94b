/** Writes notifications within transactions of those who publish them. */
import type { Transaction } from 'kysely'
import type { NotificationRow, NotificationTables } from '../tables.ts'
import type { Origin } from '../context.ts'

type Trx = Transaction<NotificationTables>

/** null: the account has one from this source. */
export const insertNotification = async (trx: Trx, row: NotificationRow): Promise<boolean> => {
  const inserted = await trx
    .insertInto('notifications')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'source_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const readBySource = (trx: Trx, accountId: string, sourceKey: string): Promise<NotificationRow> =>
  trx
    .selectFrom('notifications')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('source_key', '=', sourceKey)
    .executeTakeFirstOrThrow()

export const changeNotification = async (trx: Trx, id: string, values: Partial<NotificationRow>): Promise<void> => {
  await trx.updateTable('notifications').set(values).where('id', '=', id).execute()
}

/** Gives the accounts that had one; all of them, or only this one. */
export const deleteWithdrawn = async (trx: Trx, origin: Origin, accountId?: string): Promise<string[]> => {
  const accountIds = new Set<string>()
  for (const [column, values] of slicesOf(origin)) {
    const rows = await trx
      .deleteFrom('notifications')
      .where(column, 'in', values)
      .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
      .returning('account_id')
      .execute()
    for (const { account_id } of rows) accountIds.add(account_id)
  }
  return [...accountIds]
}

/** Whether any became read. */
export const markSettled = async (
  trx: Trx,
  origin: Origin,
  { accountId, until, now }: { readonly accountId: string; readonly until: number; readonly now: number },
): Promise<boolean> => {
  let changed = false
  for (const [column, values] of slicesOf(origin)) {
    const rows = await trx
      .updateTable('notifications')
      .set({ read_at: now })
      .where('account_id', '=', accountId)
      .where(column, 'in', values)
      .where('happened_at', '<=', until)
      .where('read_at', 'is', null)
      .where('content', 'is not', null)
      .returning('id')
      .execute()
    changed ||= rows.length > 0
  }
  return changed
}

/** Ends a snooze that is over. null: it ended otherwise. */
export const endDueSnooze = async (trx: Trx, id: string, now: number): Promise<NotificationRow | null> => {
  const row = await trx
    .updateTable('notifications')
    .set({ snoozed_until: null })
    .where('id', '=', id)
    .where('snoozed_until', '<=', now)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

const sliceValues = 400

function* slicesOf(origin: Origin): Iterable<['about' | 'source_key', string[]]> {
  const [column, all] =
    'about' in origin ? (['about', origin.about] as const) : (['source_key', origin.sourceKeys] as const)
  for (let at = 0; at < all.length; at += sliceValues) yield [column, all.slice(at, at + sliceValues)]
}
