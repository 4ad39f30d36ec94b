/** Duration and cost of runs, and the limits of an automation. Pure. */
import type { AutomationContent } from '@atrium/contract/automations'
import type { Cost, Usage } from '@atrium/contract/generation'
import { toBillionths, toDecimal } from '../../core/usage/index.ts'
import type { RunRow } from './tables.ts'

type Spent = Pick<RunRow, 'input_tokens' | 'output_tokens' | 'cost' | 'currency'>

const toWhole = (amount: string): number => Number(toBillionths(amount))

export const toCost = ({ cost, currency }: Pick<Spent, 'cost' | 'currency'>): Cost | null =>
  cost === null || currency === null ? null : { amount: toDecimal(BigInt(cost)), currency }

/** Tokens and cost of a run, with those of another try. Of two currencies the last one counts. */
export const addUsage = (run: Spent, usage: Usage | null): Spent => {
  if (!usage) return run
  const { cost } = usage
  const before = cost && run.currency === cost.currency ? (run.cost ?? 0) : 0
  return {
    input_tokens: plus(run.input_tokens, usage.inputTokens),
    output_tokens: plus(run.output_tokens, usage.outputTokens),
    cost: cost ? before + toWhole(cost.amount) : run.cost,
    currency: cost ? cost.currency : run.currency,
  }
}

const plus = (a: number | null, b: number | null): number | null =>
  a === null && b === null ? null : (a ?? 0) + (b ?? 0)

/** How long a run has waited for its owner by now; it does not wait any more. */
export const endWaiting = (
  { waiting_since, waited_ms }: Pick<RunRow, 'waiting_since' | 'waited_ms'>,
  now: number,
): Pick<RunRow, 'waiting_since' | 'waited_ms'> => ({
  waiting_since: null,
  waited_ms: waited_ms + (waiting_since === null ? 0 : Math.max(0, now - waiting_since)),
})

/** Whether a run may be tried again, as far as its cost goes. */
export const mayCostMore = ({ mostRunCost }: Pick<AutomationContent, 'mostRunCost'>, { cost }: Pick<Spent, 'cost'>) =>
  mostRunCost === null || (cost ?? 0) < toWhole(mostRunCost)

/** What an answer may cost beside what was spent; null: as much as it does. */
export const costLeft = (
  { mostRunCost }: Pick<AutomationContent, 'mostRunCost'>,
  { cost }: Pick<Spent, 'cost'>,
): string | null => (mostRunCost === null ? null : toDecimal(BigInt(Math.max(0, toWhole(mostRunCost) - (cost ?? 0)))))

/** What the runs of a month took. */
export interface MonthSum {
  readonly cost: number
  readonly currency: string | null
  readonly ms: number
}

/** Whether another run may begin in a month. */
export const mayRunMore = (
  { mostMonthCost, mostMonthMinutes }: Pick<AutomationContent, 'mostMonthCost' | 'mostMonthMinutes'>,
  { cost, ms }: MonthSum,
): boolean =>
  (mostMonthCost === null || cost < toWhole(mostMonthCost)) &&
  (mostMonthMinutes === null || ms < mostMonthMinutes * 60_000)

/** When the month of an instant began, in milliseconds (UTC). */
export const monthStart = (now: number): number => {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}
