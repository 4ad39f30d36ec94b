import type { OwnBudget } from '@atrium/contract/usage'
import { Badge } from '../../../ui/badge.tsx'
import { amountOf } from '../figures.ts'
import { useText } from 'virtual:words/usage'
import { Meter, stateTones, untilWords } from './meter.tsx'

/** One of the own budgets: what is left of it, and until when. */
export function OwnBudgetRow({ budget, currency }: { budget: OwnBudget; currency: string }) {
  const t = useText('usage')
  const { amount, spent, remaining } = budget
  const show = (value: string) => amountOf(budget.unit, value, currency, t)
  return (
    <li className="rounded-lg border border-line bg-raised px-3.5 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium" dir="auto">
          {budget.name}
        </span>
        <Badge tone={stateTones[budget.state]}>{t(`budget.state.${budget.state}`)}</Badge>
        <span className="ms-auto text-sm text-muted">{t(`budget.mode.${budget.mode}`)}</span>
      </div>
      {amount !== null && spent !== null && remaining !== null ? (
        <>
          <Meter spent={Number(spent)} amount={Number(amount)} state={budget.state} label={budget.name} />
          <p className="text-sm">{t('budget.left', { left: show(remaining), amount: show(amount) })}</p>
        </>
      ) : (
        <p className="mt-1 text-sm">{t('budget.shared')}</p>
      )}
      <p className="mt-0.5 text-sm text-muted">{untilWords(t, budget)}</p>
    </li>
  )
}
