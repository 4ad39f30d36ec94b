/** SQL that is the same for the links of every kind of thing; each kind has a table of its own, with what it adds. */
import { type Transaction, sql } from 'kysely'
import type { AnyTransaction, Database } from '../../../platform/db/types.ts'

/** The columns that every table of links has, beside the one that names what a link shows. */
export interface LinkRow {
  id: string
  /** Whose the thing is that it shows. */
  account_id: string
  /** SHA-256 of the secret, which is kept nowhere. */
  secret_digest: string
  /** A PHC string; null where none is asked for. */
  password: string | null
  /** Wrong ones since `wrong_since`, and those that are being compared. */
  wrong_passwords: number
  wrong_since: number
  expires_at: number
  created_at: number
}

/** Writes what happened to a link into the audit, in the transaction that does it. */
export type RecordLink<Row> = (trx: AnyTransaction, row: Row) => Promise<void>

/** A table of links by any name. */
type Tables = Readonly<Record<string, LinkRow>>

export type LinkStore<Row extends LinkRow> = ReturnType<typeof createLinkStore<Row>>

/** `table` holds rows of `Row`; `thing` is its column with the id of what a link shows. */
export const createLinkStore = <Row extends LinkRow>(
  database: Database,
  { table, thing }: { readonly table: string; readonly thing: string },
) => {
  const db = () => database.tables<Tables>()
  const thingId = sql.ref<string>(thing)
  // The table's rows have all columns of `Row`.
  const read = (rows: readonly LinkRow[]): Row[] => rows as Row[]

  return {
    /** Those of a thing that work, newest first. */
    async ofThing(id: string, now: number): Promise<Row[]> {
      const rows = await db()
        .selectFrom(table)
        .selectAll()
        .where(thingId, '=', id)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return read(rows)
    },

    /** How many links that work each of these things has; those without one are left out. */
    async countByThing(ids: readonly string[], now: number): Promise<Map<string, number>> {
      if (ids.length === 0) return new Map()
      const rows = await db()
        .selectFrom(table)
        .select((by) => [thingId.as('thing_id'), by.fn.countAll<number>().as('count')])
        .where(thingId, 'in', ids)
        .where('expires_at', '>', now)
        .groupBy(thingId)
        .execute()
      return new Map(rows.map(({ thing_id, count }) => [thing_id, Number(count)]))
    },

    /** false: the thing has as many as it may. */
    insert: (id: string, row: Row, most: number, record: RecordLink<Row>): Promise<boolean> =>
      database.write<Tables, boolean>(async (trx) => {
        const { count } = await trx
          .selectFrom(table)
          .select((by) => by.fn.countAll<number>().as('count'))
          .where(thingId, '=', id)
          .where('expires_at', '>', row.created_at)
          .executeTakeFirstOrThrow()
        if (Number(count) >= most) return false
        await trx.insertInto(table).values(row).execute()
        await record(trx, row)
        return true
      }, 'audit'),

    /** Of an account alone. null: none of this id works any more. */
    change: (
      { id, accountId, now }: { readonly id: string; readonly accountId: string; readonly now: number },
      change: Partial<Row>,
      record: RecordLink<Row>,
    ): Promise<Row | null> =>
      database.write<Tables, Row | null>(async (trx) => {
        const rows = await trx
          .updateTable(table)
          .set(change)
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .where('expires_at', '>', now)
          .returningAll()
          .execute()
        const [row] = read(rows)
        if (row) await record(trx, row)
        return row ?? null
      }, 'audit'),

    /** Of an account alone. null: there is none. */
    remove: (id: string, accountId: string, record: RecordLink<Row>): Promise<Row | null> =>
      database.write<Tables, Row | null>(async (trx) => {
        const rows = await trx
          .deleteFrom(table)
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .returningAll()
          .execute()
        const [row] = read(rows)
        if (row) await record(trx, row)
        return row ?? null
      }, 'audit'),

    /** Removes all whose time is over, some at a time; they do not work anyway. */
    async removeEnded(now: number, signal: AbortSignal, record: RecordLink<Row>): Promise<void> {
      while (!signal.aborted) {
        const count = await database.write<Tables, number>((trx) => removeSome(trx, now, record), 'audit')
        if (count < atOnce) return
      }
    },

    /** Counts a try of the password before it is compared. false: there were `most` wrong ones since `since`. */
    takeTry: (id: string, now: number, since: number, most: number): Promise<boolean> =>
      database.write<Tables, boolean>(async (trx) => {
        const row = await trx
          .selectFrom(table)
          .select(['wrong_passwords', 'wrong_since'])
          .where('id', '=', id)
          .executeTakeFirst()
        if (!row) return false
        const goesOn = row.wrong_since > since
        if (goesOn && row.wrong_passwords >= most) return false
        const counted = goesOn
          ? { wrong_passwords: row.wrong_passwords + 1, wrong_since: row.wrong_since }
          : { wrong_passwords: 1, wrong_since: now }
        await trx.updateTable(table).set(counted).where('id', '=', id).execute()
        return true
      }),

    /** A try was right, and counts for nothing. */
    async returnTry(id: string): Promise<void> {
      await db()
        .updateTable(table)
        .set((by) => ({ wrong_passwords: by('wrong_passwords', '-', 1) }))
        .where('id', '=', id)
        .where('wrong_passwords', '>', 0)
        .execute()
    },
  }

  async function removeSome(trx: Transaction<Tables>, now: number, record: RecordLink<Row>): Promise<number> {
    const some = await trx
      .selectFrom(table)
      .select('id')
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(atOnce)
      .execute()
    if (some.length === 0) return 0
    const ids = some.map(({ id }) => id)
    const rows = await trx.deleteFrom(table).where('id', 'in', ids).returningAll().execute()
    for (const row of read(rows)) await record(trx, row)
    return rows.length
  }
}

const atOnce = 200
