/** Tells accounts of their own budgets, once in a period at four fifths of it and once when it is used up. */
import type { AnyTransaction, Database } from '../../platform/db/types.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Notifications } from '../notifications/index.ts'
import type { BudgetClaim, SpentChange } from './ledger.ts'
import { type BudgetTerms, limitOf, periodAt, stateOf } from './periods.ts'
import { createOwedNoticeStore } from './stores/owed-notices.ts'
import type { OwedBudgetNoticeRow } from './tables.ts'

interface BudgetNotices {
  /** Writes down whom a change is to be told, in its transaction: a process that dies before it did so leaves that to others. */
  owe(trx: AnyTransaction, changes: readonly SpentChange[]): Promise<void>
  /** Tells what other processes left, by the budgets that there are. */
  tellOwed(budgets: readonly BudgetTerms[]): Promise<void>
  /** What of a budget is spent now, the call of this claim included; after it was written. */
  note(claim: BudgetClaim, spent: bigint): void
  /** A budget is gone. */
  withdraw(budgetId: string): Promise<void>
  /** Resolves when all that was noted is told, or could not be. */
  settled(): Promise<void>
}

type Reached = 'warned' | 'exceeded'

/** So much is remembered of what was told; what is told once more changes nothing. */
const mostRemembered = 10_000

export const createBudgetNotices = ({
  database,
  notifications,
  log,
}: {
  readonly database: Database
  readonly notifications: Pick<Notifications, 'publisher'>
  readonly log: Log
}): BudgetNotices => {
  const told = new Set<string>()
  let work: Promise<void> = Promise.resolve()

  const owed = createOwedNoticeStore(database)

  const tell = async ({ accountId, budget, period, key }: Told, state: Reached): Promise<void> => {
    const publisher = await notifications.publisher([accountId])
    const sourceOf = (reached: Reached) => `budget:${budget.id}:${period.start}:${reached}`
    await database.write(async (trx) => {
      // Whoever has used it up needs no word that little is left.
      if (state === 'exceeded') await publisher.withdraw(trx, { sourceKeys: [sourceOf('warned')], accountId })
      await publisher.publish(trx, {
        accountId,
        kind: 'budget',
        sourceKey: sourceOf(state),
        about: aboutOf(budget.id),
        facts: {
          budgetId: budget.id,
          name: budget.name,
          state,
          blocks: budget.mode === 'block',
          resetsAt: new Date(period.end).toISOString(),
        },
      })
      for (const reached of state === 'exceeded' ? (['warned', state] as const) : [state])
        await owed.remove(trx, owedRow({ accountId, key }, reached))
    })
    await publisher.tell()
  }

  return {
    async owe(trx, changes) {
      const rows = changes
        .filter(({ claim }) => isOwn(claim))
        .flatMap(({ claim, before, after }) => {
          const limit = limitOf(claim.budget)
          const reached = stateOf(after, limit)
          return reached === 'normal' || reached === stateOf(before, limit) ? [] : [owedRow(claim, reached)]
        })
      await owed.add(trx, rows)
    },
    async tellOwed(budgets) {
      const rows = await owed.list()
      const nameOf = ({ account_id, budget_id, subject, period_start }: OwedBudgetNoticeRow) =>
        [account_id, budget_id, subject, period_start].join('\0')
      const usedUp = new Set(rows.filter(({ reached }) => reached === 'exceeded').map(nameOf))
      for (const row of rows) {
        if (row.reached === 'warned' && usedUp.has(nameOf(row))) continue
        const budget = budgets.find(({ id }) => id === row.budget_id)
        const key = { budgetId: row.budget_id, subject: row.subject, periodStart: row.period_start }
        if (budget)
          await tell(
            { accountId: row.account_id, budget, key, period: periodAt(budget.period, row.period_start) },
            row.reached,
          )
        else await database.write((trx) => owed.remove(trx, row))
      }
    },
    note(claim, spent) {
      const { accountId, budget, period } = claim
      const state = stateOf(spent, limitOf(budget))
      if (state === 'normal' || !isOwn(claim)) return
      const name = [budget.id, accountId, period.start, state].join('\0')
      if (told.has(name)) return
      if (told.size >= mostRemembered) told.clear()
      told.add(name)
      work = work
        .then(() => tell(claim, state))
        .catch((error: unknown) => {
          // The next call on this budget tries again.
          told.delete(name)
          log.warn('an account could not be told of its budget', { error })
        })
    },
    async withdraw(budgetId) {
      const publisher = await notifications.publisher([])
      await database.write((trx) => publisher.withdraw(trx, { about: [aboutOf(budgetId)] }))
      await publisher.tell()
    },
    settled: () => work,
  }
}

type Told = Pick<BudgetClaim, 'accountId' | 'budget' | 'key' | 'period'>

const owedRow = ({ accountId, key }: Pick<Told, 'accountId' | 'key'>, reached: Reached) => ({
  account_id: accountId,
  budget_id: key.budgetId,
  subject: key.subject,
  period_start: key.periodStart,
  reached,
})

/** Those that others spend from are their administrators’ matter, and so are those that are only watched. */
const isOwn = ({ budget }: BudgetClaim): boolean =>
  (budget.principalType === 'account' || budget.principalType === 'token') && budget.mode !== 'observe'

const aboutOf = (budgetId: string): string => `budget:${budgetId}`
