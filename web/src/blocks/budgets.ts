/** The budgets that one's calls count on, for those who ask models something. */
import type { Selection } from '@atrium/contract/common'
import { type OwnBudget, type OwnBudgets, usageRoutes } from '@atrium/contract/usage'
import { useQuery } from '@tanstack/react-query'
import { queryOf, refresh } from '../api/query.ts'
import { useAfterFirstView } from '../lib/first-view.ts'
import { i18n } from '../lib/texts.ts'

/** The own budgets; undefined until they are known. Without any, nothing is shown of them. */
export const useOwnBudgets = (): OwnBudgets | undefined =>
  useQuery({ ...queryOf(usageRoutes.myBudgets), staleTime: 30_000, retry: false, enabled: useAfterFirstView() }).data

/** After an answer, what is left is another. */
export const refreshBudgets = (): void => void refresh(usageRoutes.myBudgets)

/** The budget with the least left of what it had; of those that only watch, none. */
export function strictestBudget(budgets: readonly OwnBudget[]): OwnBudget | null {
  const shown = budgets.filter((budget) => budget.mode !== 'observe' && budget.principalType !== 'token')
  return shown.toSorted((a, b) => shareLeft(a) - shareLeft(b))[0] ?? null
}

/** The budget that refuses the next question to this model, if one does. */
export function blockingBudget(budgets: readonly OwnBudget[], selection: Selection | null): OwnBudget | null {
  if (selection === null || selection.providerType === 'builtin') return null
  return (
    budgets.find(
      (budget) =>
        budget.mode === 'block' &&
        budget.state === 'exceeded' &&
        budget.principalType !== 'token' &&
        // The local runtime costs nothing, unless somebody entered a price for it; then the server says so.
        (budget.unit === 'tokens' || selection.providerType !== 'local'),
    ) ?? null
  )
}

/** When a budget begins anew, in the person's own time: `Monday`, `Monday, 1 December`. */
export function resetDay({ resetsAt }: Pick<OwnBudget, 'resetsAt'>, now = Date.now()): string {
  const time = Date.parse(resetsAt)
  const near = time - now < 6.5 * 86_400_000
  const options: Intl.DateTimeFormatOptions = near
    ? { weekday: 'long' }
    : { weekday: 'long', day: 'numeric', month: 'long' }
  return new Intl.DateTimeFormat(i18n.language, options).format(time)
}

const shareLeft = ({ state, amount, remaining }: OwnBudget): number =>
  amount !== null && remaining !== null
    ? Number(remaining) / Number(amount)
    : { normal: 1, warned: 0.2, exceeded: 0 }[state]
