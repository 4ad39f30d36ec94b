/** Budgets as administrators set them and as accounts see them. */
import type { TokenBudget } from '@atrium/contract/api-tokens'
import type { Budget, BudgetInput, OwnBudget } from '@atrium/contract/usage'
import type { Clock } from '../../platform/clock.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { PriceCache } from './price-cache.ts'
import { amountIn, type BudgetTerms, limitOf, periodAt, stateOf, subjectOf, subjectStart } from './periods.ts'
import { type BudgetCounter, counterName, type CounterStore } from './stores/counters.ts'
import type { TermsStore } from './stores/terms.ts'
import type { Database } from '../../platform/db/types.ts'

/** Accounts, groups and tokens by id: what they are called, and whose they are; null: there is none. */
export type FindPrincipal = (
  type: 'account' | 'group' | 'token',
  id: string,
) => Promise<{ readonly name: string; readonly accountId: string | null } | null>

const most = 200

export const createBudgets = (deps: {
  database: Database
  prices: Pick<PriceCache, 'load' | 'reload'>
  terms: TermsStore
  counters: CounterStore
  clock: Clock
  /** Writes down what waits, so that what was spent before is known. */
  flush: () => Promise<void>
  findPrincipal: FindPrincipal
  groupsOf: (accountId: string) => Promise<readonly string[]>
}) => {
  const { database, prices, terms, counters, clock, flush, findPrincipal, groupsOf } = deps

  const read = async (budgets: readonly BudgetTerms[]) => {
    const now = clock.now()
    const found = await counters.listCounters(
      budgets.map((budget) => ({ budgetId: budget.id, periodStart: periodAt(budget.period, now).start })),
    )
    return { now, found }
  }

  /** Where each account has the budget for itself, the one that spent most. */
  const toBudget = async (
    budget: BudgetTerms,
    now: number,
    found: readonly BudgetCounter[],
    names: FindPrincipal,
  ): Promise<Budget> => {
    const { start, end } = periodAt(budget.period, now)
    const own = found
      .filter((c) => c.budgetId === budget.id && c.periodStart === start && isOf(budget, c.subject))
      .sort((a, b) => (a.spent < b.spent ? 1 : -1))[0]
    const { principalType, principalId } = budget
    const principal =
      principalType === 'instance' || principalId === null ? null : await names(principalType, principalId)
    return {
      id: budget.id,
      name: budget.name,
      principalType,
      principalId,
      unit: budget.unit,
      amount: budget.amount,
      period: budget.period,
      mode: budget.mode,
      principalName: principal?.name ?? null,
      spent: amountIn(budget.unit, own?.spent ?? 0n),
      reserved: amountIn(budget.unit, own?.reserved ?? 0n),
      state: stateOf(own?.spent ?? 0n, limitOf(budget)),
      periodStart: iso(start),
      resetsAt: iso(end),
      createdAt: iso(budget.createdAt),
    }
  }

  /** What was spent in this period before the budget was set counts, where calls say whose they were. */
  const countBefore = async (budget: BudgetTerms): Promise<void> => {
    const { principalType, principalId, unit } = budget
    if (principalType !== 'instance' && principalType !== 'account') return
    await flush()
    const { start } = periodAt(budget.period, clock.now())
    const spent = await counters.spentSince(unit, start)
    const whose =
      principalType === 'instance'
        ? ['']
        : principalId === null
          ? [...spent.keys()].filter((id) => id !== '')
          : [principalId]
    const counted = whose.flatMap((id) => {
      const amount = spent.get(id) ?? 0n
      const key = { budgetId: budget.id, subject: subjectOf(budget, id), periodStart: start }
      return amount === 0n ? [] : [{ ...key, spent: amount, reserved: 0n }]
    })
    for (let at = 0; at < counted.length; at += 200) {
      const some = counted.slice(at, at + 200)
      await database.write<never, void>(async (trx) => {
        const known = await counters.read(trx, some)
        await counters.save(
          trx,
          some.filter((counter) => !known.has(counterName(counter))),
        )
      })
    }
  }

  /** Has all processes hold calls to a budget that is saved, also where what was spent before could not be counted. */
  const enforce = async (budget: BudgetTerms, isForOthers: boolean): Promise<void> => {
    try {
      if (isForOthers) await countBefore(budget)
    } finally {
      await prices.reload()
    }
  }

  const check = async ({ principalType, principalId }: BudgetInput): Promise<void> => {
    if (principalId === null) return
    if (principalType !== 'instance' && (await findPrincipal(principalType, principalId))) return
    const message = principalType === 'instance' ? 'the instance has no id' : `there is no such ${principalType}`
    throw fail('validation_failed', undefined, [{ path: 'body.principalId', message }])
  }

  /** A group that went while a budget was set for it has ended the others already. */
  const endOrphan = async (budget: BudgetTerms): Promise<void> => {
    const { principalType, principalId } = budget
    if (principalType !== 'group' || principalId === null || (await findPrincipal('group', principalId))) return
    await terms.removeBudget(budget.id)
    await prices.reload()
    await check(budget)
  }

  const readBudget = async (id: string): Promise<Budget> => {
    const budget = (await prices.load()).budgets.find((b) => b.id === id)
    if (!budget) throw fail('budget_not_found')
    const { now, found } = await read([budget])
    return await toBudget(budget, now, found, findPrincipal)
  }

  return {
    async list(): Promise<{ items: Budget[]; unreadable: string[] }> {
      const { budgets, unreadable } = await prices.load()
      const { now, found } = await read(budgets)
      const items = await Promise.all(budgets.map((budget) => toBudget(budget, now, found, findPrincipal)))
      return { items, unreadable: [...unreadable] }
    },

    async add(input: BudgetInput): Promise<Budget> {
      await check(input)
      const budget: BudgetTerms = {
        ...plainAmount(input),
        id: clock.id(),
        createdAt: clock.now(),
        setBy: 'administrator',
      }
      if (!(await terms.addBudget(budget, most))) throw fail('budget_limit')
      await endOrphan(budget)
      await enforce(budget, true)
      return await readBudget(budget.id)
    },

    async change(id: string, input: BudgetInput): Promise<Budget> {
      const before = (await prices.load()).budgets.find((budget) => budget.id === id)
      if (!before) throw fail('budget_not_found')
      await check(input)
      const after: BudgetTerms = { ...plainAmount(input), id, createdAt: before.createdAt, setBy: 'administrator' }
      if (!(await terms.changeBudget(id, after, clock.now()))) throw fail('budget_not_found')
      await endOrphan(after)
      await enforce(after, subjectStart(before) !== subjectStart(after))
      return await readBudget(id)
    },

    async remove(id: string): Promise<void> {
      if (!(await terms.removeBudget(id))) throw fail('budget_not_found')
      await prices.reload()
    },

    /** What owners set for their tokens, by token; those without are left out. */
    async ofTokens(tokenIds: readonly string[]): Promise<ReadonlyMap<string, TokenBudget>> {
      const wanted = new Set(tokenIds)
      const { budgets } = await prices.load()
      return new Map(
        budgets.flatMap(({ setBy, principalId, amount, period }) =>
          setBy === 'owner' && principalId !== null && wanted.has(principalId)
            ? [[principalId, { amount, period }] as const]
            : [],
        ),
      )
    },

    /**
     * Has its owner's own budget for a token; null takes it away. It only ever holds beside what administrators set.
     * `label`: what it is called, which must be no secret.
     */
    async setForToken(
      token: { readonly id: string; readonly label: string },
      budget: TokenBudget | null,
    ): Promise<void> {
      if (
        budget === null &&
        !(await prices.load()).budgets.some((b) => b.setBy === 'owner' && b.principalId === token.id)
      )
        return
      const input = budget && {
        ...({
          name: token.label,
          principalType: 'token',
          principalId: token.id,
          unit: 'money',
          mode: 'block',
        } as const),
        ...budget,
      }
      const ownBudget = input && {
        ...plainAmount(input),
        id: clock.id(),
        createdAt: clock.now(),
        setBy: 'owner' as const,
      }
      await terms.setOwners(token.id, ownBudget)
      await prices.reload()
    },

    /** How many budgets are for an account alone. */
    async countOf(accountId: string): Promise<number> {
      const { budgets } = await prices.load()
      return budgets.filter((b) => b.principalType === 'account' && b.principalId === accountId).length
    },

    async removeAccount(accountId: string): Promise<void> {
      let gone = await terms.removeBudgetsOf('account', accountId)
      for (const { setBy, principalId } of (await prices.load()).budgets) {
        if (setBy !== 'owner' || principalId === null) continue
        if ((await findPrincipal('token', principalId))?.accountId !== accountId) continue
        await terms.setOwners(principalId, null)
        gone = true
      }
      if (gone) await prices.reload()
    },

    /** Ends the budgets of a group that is gone. */
    async removeGroup(groupId: string): Promise<void> {
      if (await terms.removeBudgetsOf('group', groupId)) await prices.reload()
    },

    /** The budgets that an account's calls count on. Of those it shares, no figures. */
    async own(accountId: string): Promise<OwnBudget[]> {
      const { budgets } = await prices.load()
      if (budgets.length === 0) return []
      const groups = budgets.some((b) => b.principalType === 'group') ? await groupsOf(accountId) : []
      const mine: BudgetTerms[] = []
      for (const budget of budgets) if (await isOwn(budget, accountId, groups)) mine.push(budget)
      const { now, found } = await read(mine)
      return mine.map((budget) => {
        const { start, end } = periodAt(budget.period, now)
        const subject = subjectOf(budget, accountId)
        const counter = found.find((c) => c.budgetId === budget.id && c.subject === subject && c.periodStart === start)
        const spent = counter?.spent ?? 0n
        const limit = limitOf(budget)
        const alone = budget.principalType === 'account' || budget.principalType === 'token'
        return {
          id: budget.id,
          name: budget.name,
          principalType: budget.principalType,
          unit: budget.unit,
          period: budget.period,
          mode: budget.mode,
          state: stateOf(spent, limit),
          periodStart: iso(start),
          resetsAt: iso(end),
          amount: alone ? budget.amount : null,
          spent: alone ? amountIn(budget.unit, spent) : null,
          remaining: alone ? amountIn(budget.unit, spent < limit ? limit - spent : 0n) : null,
        }
      })
    },
  }

  async function isOwn(budget: BudgetTerms, accountId: string, groups: readonly string[]): Promise<boolean> {
    const { principalType, principalId } = budget
    if (principalType === 'instance') return true
    if (principalType === 'account') return principalId === null || principalId === accountId
    if (principalId === null) return false
    if (principalType === 'group') return groups.includes(principalId)
    return (await findPrincipal('token', principalId))?.accountId === accountId
  }
}

const isOf = (budget: BudgetTerms, subject: string): boolean => {
  const start = subjectStart(budget)
  return start.endsWith('/') ? subject.startsWith(start) : subject === start
}

/** `0012.50` → `12.5`, so that what is shown is what counts. */
const plainAmount = (input: BudgetInput): BudgetInput => ({
  ...input,
  amount: amountIn(input.unit, limitOf(input)),
})

const iso = (ms: number): string => new Date(ms).toISOString()
