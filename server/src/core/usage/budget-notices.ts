/** Tells accounts of their own budgets, once in a period at four fifths of it and once when it is used up. */
import type { Database } from '../../platform/db/types.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Notifications } from '../notifications/index.ts'
import type { BudgetClaim } from './ledger.ts'
import { limitOf, stateOf } from './periods.ts'

interface BudgetNotices {
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

  const tell = async ({ accountId, budget, period }: BudgetClaim, state: Reached): Promise<void> => {
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
    })
    await publisher.tell()
  }

  return {
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

/** Those that others spend from are their administrators’ matter, and so are those that are only watched. */
const isOwn = ({ budget }: BudgetClaim): boolean =>
  (budget.principalType === 'account' || budget.principalType === 'token') && budget.mode !== 'observe'

const aboutOf = (budgetId: string): string => `budget:${budgetId}`
