import type { TokenBudget } from '@atrium/contract/api-tokens'
import { usageRoutes } from '@atrium/contract/usage'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { formatMoney } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/api-tokens'

/** As it is typed; empty: no limit. */
export interface BudgetDraft {
  readonly amount: string
  readonly period: TokenBudget['period']
}

export const draftOf = (budget: TokenBudget | null): BudgetDraft => budget ?? { amount: '', period: 'monthly' }

/** null: no limit; undefined: what was typed is no amount. */
export function budgetOf({ amount, period }: BudgetDraft): TokenBudget | null | undefined {
  const typed = amount.trim().replace(',', '.')
  if (typed === '') return null
  return /^\d{1,9}(\.\d{1,9})?$/.test(typed) && /[1-9]/.test(typed) ? { amount: typed, period } : undefined
}

/** What the token may spend at most, beside the budgets that hold for its owner. */
export function BudgetChoice({
  value,
  onChange,
  error,
}: {
  value: BudgetDraft
  onChange: (value: BudgetDraft) => void
  error: string | null
}) {
  const t = useText('api-tokens')
  const currency = useCurrency()
  return (
    <Field label={t('budget.name')} hint={t('budget.hint')} error={error}>
      <div className="flex flex-wrap items-center gap-2">
        <div className="w-32">
          <Input
            value={value.amount}
            onChange={(event) => onChange({ ...value, amount: event.target.value })}
            inputMode="decimal"
            dir="ltr"
            placeholder={t('budget.none')}
          />
        </div>
        {currency && <span className="text-sm text-muted">{currency}</span>}
        <PeriodChoice value={value.period} onChange={(period) => onChange({ ...value, period })} />
      </div>
    </Field>
  )
}

function PeriodChoice({
  value,
  onChange,
}: {
  value: BudgetDraft['period']
  onChange: (value: BudgetDraft['period']) => void
}) {
  const t = useText('api-tokens')
  return (
    <Field label={t('budget.period')} hideLabel>
      <Select
        value={value}
        onChange={onChange}
        options={periods.map((period) => ({ value: period, label: t(`budget.each.${period}`) }))}
        className="w-36"
      />
    </Field>
  )
}

/** In the list: what a token may spend. */
export function BudgetBadge({ budget: { amount, period } }: { budget: TokenBudget }) {
  const t = useText('api-tokens')
  const currency = useCurrency()
  const shown = currency ? formatMoney(amount, currency) : amount
  return <Badge>{t(`budget.shown.${period}`, { amount: shown })}</Badge>
}

const useCurrency = (): string | undefined => useQuery(queryOf(usageRoutes.myBudgets)).data?.currency

const periods = ['daily', 'weekly', 'monthly'] as const
