/** What a budget counts: its period, its subject, its state, and the words for one that is used up. */
import type { BudgetInput, BudgetState } from '@atrium/contract/usage'
import type { z } from 'zod'
import { dayMs } from './days.ts'
import { toBillionths, toDecimal } from './money.ts'

export interface BudgetTerms extends BudgetInput {
  readonly id: string
  readonly createdAt: number
  /** `owner`: of the token that it is for, whom administrators never needed to ask. */
  readonly setBy: 'administrator' | 'owner'
}

export interface BudgetPeriod {
  readonly start: number
  /** Begin of the next one. */
  readonly end: number
}

/** The period that a moment lies in: days, weeks from Monday, months, all of UTC. */
export const periodAt = (period: BudgetInput['period'], now: number): BudgetPeriod => {
  const date = new Date(now)
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  if (period === 'daily') return { start: midnight, end: midnight + dayMs }
  if (period === 'weekly') {
    const start = midnight - ((date.getUTCDay() + 6) % 7) * dayMs
    return { start, end: start + 7 * dayMs }
  }
  return {
    start: Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1),
    end: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1),
  }
}

/** The amount in what its counters count: billionths, or tokens. */
export const limitOf = ({ unit, amount }: Pick<BudgetInput, 'unit' | 'amount'>): bigint =>
  unit === 'money' ? toBillionths(amount) : BigInt(amount)

export const amountIn = (unit: BudgetInput['unit'], counted: bigint): string =>
  unit === 'money' ? toDecimal(counted) : counted.toString()

/**
 * Names a counter. Unit and period are part of it, so that a changed budget never adds up what is not the same.
 * An account's own counter is named where each account has the budget for itself.
 */
export const subjectOf = (
  { unit, period, principalType, principalId }: Pick<BudgetInput, 'unit' | 'period' | 'principalType' | 'principalId'>,
  accountId: string | null,
): string => {
  const whose = principalId ?? (principalType === 'account' ? accountId : null)
  return [unit, period, principalType, ...(whose === null ? [] : [whose])].join('/')
}

/** Whose counters may add up to the budget: the beginning that they share. */
export const subjectStart = (budget: BudgetInput): string =>
  budget.principalType === 'account' && budget.principalId === null
    ? `${subjectOf(budget, null)}/`
    : subjectOf(budget, null)

export const stateOf = (spent: bigint, limit: bigint): z.infer<typeof BudgetState> =>
  spent >= limit ? 'exceeded' : spent * 10n >= limit * 8n ? 'warned' : 'normal'

const whoRaises = {
  administrator: 'an administrator can raise it',
  owner: 'whoever made the token can raise it',
} as const

/** One sentence or two: which budget, and until when. */
export const refusalWords = ({ name, period, setBy }: BudgetTerms, { end }: BudgetPeriod, left: boolean): string => {
  const spans = { daily: 'today', weekly: 'this week', monthly: 'this month' } as const
  const when = new Date(end).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const what = left
    ? `What is left of the budget “${name}” for ${spans[period]} doesn’t cover this call.`
    : `The budget “${name}” for ${spans[period]} is used up.`
  return `${what} It resets on ${when} at 00:00 UTC; ${whoRaises[setBy]}.`
}
