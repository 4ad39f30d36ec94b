/** Every statement about what is spent and set aside of budgets. Counts travel as words: they may pass 2^53. */
import { sql, type Transaction } from 'kysely'
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import type { UsageTables } from '../tables.ts'

export interface CounterKey {
  readonly budgetId: string
  readonly subject: string
  readonly periodStart: number
}
export interface BudgetCounter extends CounterKey {
  readonly spent: bigint
  readonly reserved: bigint
}
export interface BudgetReservation extends CounterKey {
  readonly id: string
  readonly amount: bigint
}

export const counterName = ({ budgetId, subject, periodStart }: CounterKey): string =>
  [budgetId, subject, periodStart].join('\0')

export type CounterStore = ReturnType<typeof createCounterStore>

export const createCounterStore = (database: Database, processId: string) => {
  const tables = database.tables<UsageTables>()

  const counters = async (
    view: Pick<Transaction<UsageTables>, 'selectFrom'>,
    keys: readonly { budgetId: string; periodStart: number }[],
  ): Promise<BudgetCounter[]> => {
    if (keys.length === 0) return []
    const rows = await view
      .selectFrom('usage_budget_counters')
      .select(['budget_id', 'subject', 'period_start'])
      .select([sql<string>`cast(spent as text)`.as('spent'), sql<string>`cast(reserved as text)`.as('reserved')])
      .where('budget_id', 'in', [...new Set(keys.map(({ budgetId }) => budgetId))])
      .where('period_start', 'in', [...new Set(keys.map(({ periodStart }) => periodStart))])
      .execute()
    return rows.map((row) => ({
      budgetId: row.budget_id,
      subject: row.subject,
      periodStart: row.period_start,
      spent: BigInt(row.spent),
      reserved: BigInt(row.reserved),
    }))
  }

  return {
    /** The counters of some budgets in some periods, whoever's. */
    listCounters: (keys: readonly { budgetId: string; periodStart: number }[]) => counters(tables, keys),

    /** Exactly these counters, as they are in the transaction; those that do not exist are missing. */
    async read(trx: AnyTransaction, keys: readonly CounterKey[]): Promise<Map<string, BudgetCounter>> {
      const found = new Map<string, BudgetCounter>()
      if (keys.length === 0) return found
      const rows = await inTables<UsageTables>(trx)
        .selectFrom('usage_budget_counters')
        .select(['budget_id', 'subject', 'period_start'])
        .select([sql<string>`cast(spent as text)`.as('spent'), sql<string>`cast(reserved as text)`.as('reserved')])
        .where((eb) =>
          eb.or(
            keys.map((key) => eb.and({ budget_id: key.budgetId, subject: key.subject, period_start: key.periodStart })),
          ),
        )
        .execute()
      for (const row of rows) {
        const key = { budgetId: row.budget_id, subject: row.subject, periodStart: row.period_start }
        found.set(counterName(key), { ...key, spent: BigInt(row.spent), reserved: BigInt(row.reserved) })
      }
      return found
    },

    async save(trx: AnyTransaction, changed: readonly BudgetCounter[]): Promise<void> {
      for (const counter of changed) {
        await inTables<UsageTables>(trx)
          .insertInto('usage_budget_counters')
          .values({
            budget_id: counter.budgetId,
            subject: counter.subject,
            period_start: counter.periodStart,
            spent: counter.spent.toString(),
            reserved: counter.reserved.toString(),
          })
          .onConflict((on) =>
            on.columns(['budget_id', 'subject', 'period_start']).doUpdateSet((eb) => ({
              spent: eb.ref('excluded.spent'),
              reserved: eb.ref('excluded.reserved'),
            })),
          )
          .execute()
      }
    },

    async reserve(trx: AnyTransaction, reservations: readonly BudgetReservation[], expiresAt: number): Promise<void> {
      for (let at = 0; at < reservations.length; at += 100)
        await inTables<UsageTables>(trx)
          .insertInto('usage_budget_reservations')
          .values(
            reservations.slice(at, at + 100).map((reservation) => ({
              id: reservation.id,
              budget_id: reservation.budgetId,
              subject: reservation.subject,
              period_start: reservation.periodStart,
              amount: reservation.amount.toString(),
              process_id: processId,
              expires_at: expiresAt,
            })),
          )
          .execute()
    },

    /** Takes reservations away and gives those that were still there. */
    async release(trx: AnyTransaction, ids: readonly string[]): Promise<BudgetReservation[]> {
      const gone: BudgetReservation[] = []
      for (let at = 0; at < ids.length; at += 200) {
        const rows = await inTables<UsageTables>(trx)
          .deleteFrom('usage_budget_reservations')
          .where('id', 'in', ids.slice(at, at + 200))
          .returning(['id', 'budget_id', 'subject', 'period_start', sql<string>`cast(amount as text)`.as('amount')])
          .execute()
        for (const row of rows)
          gone.push({
            id: row.id,
            budgetId: row.budget_id,
            subject: row.subject,
            periodStart: row.period_start,
            amount: BigInt(row.amount),
          })
      }
      return gone
    },

    /** Other processes that have something set aside. */
    async otherHolders(): Promise<string[]> {
      const rows = await tables
        .selectFrom('usage_budget_reservations')
        .select('process_id')
        .distinct()
        .where('process_id', '!=', processId)
        .execute()
      return rows.map((row) => row.process_id)
    },

    /** Reservations that were never settled: of processes that are gone, or too old. At most a thousand. */
    async leftOver(goneProcesses: readonly string[], now: number): Promise<string[]> {
      const rows = await tables
        .selectFrom('usage_budget_reservations')
        .select('id')
        .distinct()
        .where((eb) =>
          eb.or([
            eb('expires_at', '<=', now),
            ...(goneProcesses.length > 0 ? [eb('process_id', 'in', goneProcesses)] : []),
          ]),
        )
        .limit(1000)
        .execute()
      return rows.map((row) => row.id)
    },

    /** What was spent since a moment, as the sums have it: of everybody (an empty id) and of each account. */
    async spentSince(unit: 'money' | 'tokens', since: number): Promise<Map<string, bigint>> {
      const column = unit === 'money' ? sql.raw('cost') : sql.raw('prompt_tokens + completion_tokens')
      const rows = await tables
        .selectFrom('usage_sums')
        .select('account_id')
        .select(sql<string>`cast(sum(${column}) as text)`.as('spent'))
        .where('span', '=', 'day')
        .where('start', '>=', since)
        .groupBy('account_id')
        .execute()
      return new Map(rows.map((row) => [row.account_id, BigInt(row.spent)]))
    },
  }
}
