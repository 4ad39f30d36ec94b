import { type ApiToken, apiTokensRoutes } from '@atrium/contract/api-tokens'
import type { Scope } from '@atrium/contract/scopes'
import { usageRoutes } from '@atrium/contract/usage'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { formatDay } from '../../../lib/format.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { BudgetChoice, budgetOf, draftOf } from './budget-choice.tsx'
import { ModelsChoice } from './models-choice.tsx'
import { RightsChoice } from './rights-choice.tsx'
import type { NewToken } from './shown-token.tsx'
import { useText } from 'virtual:words/api-tokens'

/** Makes a token, or changes one; its time cannot be changed. */
export function TokenForm({
  token,
  onClose,
  onMade,
}: {
  token: ApiToken | null
  onClose: () => void
  onMade: (shown: NewToken) => void
}) {
  const t = useText('api-tokens')
  const [name, setName] = useState(token?.name ?? '')
  const [scopes, setScopes] = useState<Scope[]>(token?.scopes ?? ['inference'])
  const [expiry, setExpiry] = useState<Expiry>('90')
  const [models, setModels] = useState<string[] | null>(token?.models ?? null)
  const [rate, setRate] = useState(String(token?.ratePerMinute ?? 600))
  const [spend, setSpend] = useState(() => draftOf(token?.budget ?? null))
  const budget = budgetOf(spend)
  const [tried, setTried] = useState(false)
  const faults = {
    name: name.trim() === '' ? t('fault.name') : null,
    scopes: scopes.length === 0 ? t('fault.scopes') : null,
    models: models?.length === 0 ? t('fault.models') : null,
    rate: /^[1-9]\d{0,7}$/.test(rate.trim()) && Number(rate) <= maxRate ? null : t('fault.rate', { max: maxRate }),
    budget: budget === undefined ? t('fault.budget') : null,
  }
  const shown = (fault: string | null) => (tried ? fault : null)

  const save = useMutation({
    mutationFn: async () => {
      const body = { name: name.trim(), scopes, models, ratePerMinute: Number(rate), budget }
      if (token) return void (await call(apiTokensRoutes.updateToken, { params: { id: token.id }, body }))
      const expiresInDays = expiry === 'never' ? null : Number(expiry)
      onMade(await call(apiTokensRoutes.createToken, { body: { ...body, expiresInDays } }))
    },
    onSuccess: () => {
      void refresh(apiTokensRoutes.tokens)
      void refresh(usageRoutes.myBudgets)
      if (token) toast(t('saved', { name: name.trim() }))
      onClose()
    },
  })
  const submit = () => {
    setTried(true)
    if (Object.values(faults).every((fault) => fault === null)) save.mutate()
  }

  return (
    <FormDialog
      title={token ? t('editTitle', { name: token.name }) : t('createTitle')}
      submit={token ? t('save') : t('createDo')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('name')} hint={t('nameHint')} error={shown(faults.name)} required>
        <Input value={name} onChange={(event) => setName(event.target.value)} maxLength={128} dir="auto" />
      </Field>
      <RightsChoice value={scopes} onChange={setScopes} error={shown(faults.scopes)} />
      {token ? (
        <p className="text-sm text-muted">
          {token.expiresAt ? t('expires', { when: formatDay(token.expiresAt) }) : t('neverExpires')}. {t('expiryFixed')}
        </p>
      ) : (
        <Field label={t('expiry')} hint={expiry === 'never' ? t('expiryNeverHint') : undefined}>
          <Select
            value={expiry}
            onChange={setExpiry}
            options={expiries.map((value) => ({
              value,
              label: value === 'never' ? t('expiryNever') : t('expiryDays', { count: Number(value) }),
            }))}
            className="w-56 max-w-full"
          />
        </Field>
      )}
      {scopes.includes('inference') && (
        <ModelsChoice value={models} onChange={setModels} error={shown(faults.models)} />
      )}
      <Field label={t('rate')} hint={t('rateHint')} error={shown(faults.rate)}>
        <Input
          value={rate}
          onChange={(event) => setRate(event.target.value)}
          inputMode="numeric"
          dir="ltr"
          className="w-32"
        />
      </Field>
      <BudgetChoice value={spend} onChange={setSpend} error={shown(faults.budget)} />
    </FormDialog>
  )
}

const expiries = ['7', '30', '90', '365', 'never'] as const
type Expiry = (typeof expiries)[number]
const maxRate = 10_000_000
