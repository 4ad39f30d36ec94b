import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { type Budget, type BudgetInput, usageRoutes } from '@atrium/contract/usage'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { everyAccount, everyGroup } from '../../../api/people.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/usage'
import { isAmount } from './amount.ts'

type Whose = 'instance' | 'each' | `group ${string}` | `account ${string}` | `token ${string}`

/** Sets a budget, or changes one. */
export function BudgetForm({
  budget,
  currency,
  onClose,
}: {
  budget: Budget | null
  currency: string
  onClose: () => void
}) {
  const t = useText('usage')
  const [name, setName] = useState(budget?.name ?? '')
  const [whose, setWhose] = useState<Whose>(budget ? whoseOf(budget) : 'instance')
  const [unit, setUnit] = useState<BudgetInput['unit']>(budget?.unit ?? 'money')
  const [amount, setAmount] = useState(budget?.amount ?? '')
  const [period, setPeriod] = useState<BudgetInput['period']>(budget?.period ?? 'monthly')
  const [mode, setMode] = useState<BudgetInput['mode']>(budget?.mode ?? 'warn')
  const [tried, setTried] = useState(false)
  const groups = useQuery(everyGroup)
  const accounts = useQuery(everyAccount)
  const tokens = useQuery(queryOf(apiTokensRoutes.tokens, { query: { limit: 200 } }))
  const faults = {
    name: name.trim() === '' ? t('budget.fault.name') : null,
    amount: isAmount(amount, unit === 'tokens') ? null : t(`budget.fault.${unit}`),
  }
  const save = useMutation({
    mutationFn: () => {
      const [kind = 'instance', id = null] = whose.split(' ')
      const body: BudgetInput = {
        name: name.trim(),
        unit,
        amount: amount.trim(),
        period,
        mode,
        principalType: kind === 'each' ? 'account' : (kind as BudgetInput['principalType']),
        principalId: id,
      }
      return budget
        ? call(usageRoutes.changeBudget, { params: { id: budget.id }, body })
        : call(usageRoutes.addBudget, { body })
    },
    onSuccess: () => {
      void refresh(usageRoutes.budgets)
      void refresh(usageRoutes.myBudgets)
      onClose()
    },
  })
  const options: { value: Whose; label: string }[] = [
    { value: 'instance', label: t('budget.whose.instance') },
    { value: 'each', label: t('budget.whose.each') },
    ...(groups.data ?? []).map((group) => ({
      value: `group ${group.id}` as const,
      label: t('budget.whose.group', { name: group.name }),
    })),
    ...(accounts.data ?? []).map((account) => ({
      value: `account ${account.id}` as const,
      label: t('budget.whose.account', { name: account.username }),
    })),
    ...(tokens.data?.items ?? [])
      .filter((token) => token.revokedAt === null)
      .map((token) => ({
        value: `token ${token.id}` as const,
        label: t('budget.whose.token', { name: token.name }),
      })),
  ]
  if (budget && !options.some((option) => option.value === whose))
    options.push({ value: whose, label: budget.principalName ?? t('table.unknown') })
  return (
    <FormDialog
      title={budget ? t('budget.editTitle') : t('budget.addTitle')}
      submit={t('save')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={() => {
        setTried(true)
        if (faults.name === null && faults.amount === null) save.mutate()
      }}
      onClose={onClose}
    >
      <Field label={t('budget.name')} error={tried ? faults.name : null} required>
        <Input value={name} onChange={(event) => setName(event.target.value)} maxLength={120} dir="auto" />
      </Field>
      <Field
        label={t('budget.for')}
        hint={whose === 'each' ? t('budget.eachHint') : whose.startsWith('group ') ? t('budget.groupHint') : undefined}
      >
        <Select value={whose} onChange={setWhose} options={options} />
      </Field>
      <div className="grid grid-cols-[1fr_1fr] gap-3">
        <Field label={t('budget.amount')} error={tried ? faults.amount : null} required>
          <Input
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
            inputMode={unit === 'money' ? 'decimal' : 'numeric'}
            dir="ltr"
          />
        </Field>
        <Field label={t('budget.unit')}>
          <Select
            value={unit}
            onChange={setUnit}
            options={[
              { value: 'money', label: t('budget.money', { currency }) },
              { value: 'tokens', label: t('chart.tokens') },
            ]}
          />
        </Field>
      </div>
      <Field label={t('budget.period')} hint={t('budget.periodHint')}>
        <Select
          value={period}
          onChange={setPeriod}
          options={(['daily', 'weekly', 'monthly'] as const).map((value) => ({
            value,
            label: t(`budget.periods.${value}`),
          }))}
        />
      </Field>
      <Field label={t('budget.modeLabel')} hint={t(`budget.modeHint.${mode}`)}>
        <Select
          value={mode}
          onChange={setMode}
          options={(['observe', 'warn', 'block'] as const).map((value) => ({
            value,
            label: t(`budget.mode.${value}`),
          }))}
        />
      </Field>
    </FormDialog>
  )
}

const whoseOf = ({ principalType, principalId }: Budget): Whose =>
  principalType === 'account' && principalId === null
    ? 'each'
    : principalId === null
      ? 'instance'
      : (`${principalType} ${principalId}` as Whose)
