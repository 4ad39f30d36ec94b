import { type Budget, usageRoutes } from '@atrium/contract/usage'
import { useMutation, useQuery } from '@tanstack/react-query'
import { PiggyBank, Plus, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { amountOf } from '../figures.ts'
import { useText } from 'virtual:words/usage'
import { BudgetForm } from './budget-form.tsx'
import { Meter, stateTones, untilWords } from './meter.tsx'

/** The budgets of the instance, each with what is spent of it. */
export function Budgets() {
  const t = useText('usage')
  const [form, setForm] = useState<{ budget: Budget | null } | null>(null)
  const [asking, setAsking] = useState<Pick<Budget, 'id' | 'name'> | null>(null)
  const budgets = useQuery({ ...queryOf(usageRoutes.budgets), staleTime: 10_000 })
  const remove = useMutation({
    mutationFn: (budget: Pick<Budget, 'id'>) => call(usageRoutes.removeBudget, { params: { id: budget.id } }),
    onSuccess: () => {
      setAsking(null)
      void refresh(usageRoutes.budgets)
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const add = (
    <Button tone="primary" icon={<Plus className="size-4" />} onClick={() => setForm({ budget: null })}>
      {t('budget.add')}
    </Button>
  )
  return (
    <div className="max-w-3xl pb-16">
      {budgets.isPending ? (
        <Skeleton lines={6} />
      ) : budgets.isError ? (
        <ErrorCard title={t('notLoaded')} details={detailsOf(budgets.error)} onRetry={() => void budgets.refetch()}>
          {wordsOf(budgets.error)}
        </ErrorCard>
      ) : budgets.data.items.length + budgets.data.unreadable.length === 0 ? (
        <EmptyState icon={<PiggyBank />} title={t('budget.none')} action={add}>
          {t('budget.noneText')}
        </EmptyState>
      ) : (
        <>
          <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
            <p className="min-w-60 flex-1 text-sm text-muted">{t('budget.about')}</p>
            {add}
          </div>
          <ul className="flex flex-col gap-2.5">
            {budgets.data.items.map((budget) => (
              <Row
                key={budget.id}
                budget={budget}
                currency={budgets.data.currency}
                onEdit={() => setForm({ budget })}
                onRemove={() => setAsking(budget)}
              />
            ))}
            {budgets.data.unreadable.map((id) => (
              <UnreadableRow key={id} onRemove={() => setAsking({ id, name: t('budget.unreadable') })} />
            ))}
          </ul>
        </>
      )}
      {form && (
        <BudgetForm budget={form.budget} currency={budgets.data?.currency ?? ''} onClose={() => setForm(null)} />
      )}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={() => setAsking(null)}
        title={t('budget.removeTitle', { name: asking?.name })}
        confirm={t('budget.remove')}
        danger
        busy={remove.isPending}
        onConfirm={() => asking && remove.mutate(asking)}
      >
        {t('budget.removeText')}
      </ConfirmDialog>
    </div>
  )
}

/** A budget that cannot be read can only be removed. */
function UnreadableRow({ onRemove }: { onRemove: () => void }) {
  const t = useText('usage')
  return (
    <li className="flex items-start gap-3 rounded-lg border border-line bg-raised px-4 py-3">
      <TriangleAlert aria-hidden className="mt-1 size-4 shrink-0 text-warn-ink" />
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold">{t('budget.unreadable')}</h2>
        <p className="text-sm text-muted">{t('budget.unreadableText')}</p>
      </div>
      <Button
        size="small"
        tone="quiet"
        aria-label={t('budget.removeName', { name: t('budget.unreadable') })}
        onClick={onRemove}
      >
        {t('budget.remove')}
      </Button>
    </li>
  )
}

function Row({
  budget,
  currency,
  onEdit,
  onRemove,
}: {
  budget: Budget
  currency: string
  onEdit: () => void
  onRemove: () => void
}) {
  const t = useText('usage')
  const show = (value: string) => amountOf(budget.unit, value, currency, t)
  const whose =
    budget.principalType === 'instance' || (budget.principalType === 'account' && budget.principalId === null)
      ? t(`budget.whose.${budget.principalType === 'instance' ? 'instance' : 'each'}`)
      : t(`budget.whose.${budget.principalType}`, { name: budget.principalName ?? t('table.unknown') })
  return (
    <li className="rounded-lg border border-line bg-raised px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h2 className="font-semibold" dir="auto">
          {budget.name}
        </h2>
        <Badge tone={stateTones[budget.state]}>{t(`budget.state.${budget.state}`)}</Badge>
        <Badge>{t(`budget.mode.${budget.mode}`)}</Badge>
        <span className="ms-auto flex gap-1">
          <Button size="small" tone="quiet" aria-label={t('budget.editName', { name: budget.name })} onClick={onEdit}>
            {t('budget.edit')}
          </Button>
          <Button
            size="small"
            tone="quiet"
            aria-label={t('budget.removeName', { name: budget.name })}
            onClick={onRemove}
          >
            {t('budget.remove')}
          </Button>
        </span>
      </div>
      <Meter spent={Number(budget.spent)} amount={Number(budget.amount)} state={budget.state} label={budget.name} />
      <p className="text-sm">
        {t('budget.spent', { spent: show(budget.spent), amount: show(budget.amount) })}
        {/[1-9]/.test(budget.reserved) && ` ${t('budget.reserved', { amount: show(budget.reserved) })}`}
      </p>
      <p className="mt-0.5 text-sm text-muted">
        {whose} · {untilWords(t, budget)}
      </p>
    </li>
  )
}
