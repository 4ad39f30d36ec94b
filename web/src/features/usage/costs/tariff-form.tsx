import { connectionsRoutes } from '@atrium/contract/connections'
import { usageRoutes } from '@atrium/contract/usage'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/usage'
import { isPrice } from './amount.ts'

export interface PriceFor {
  providerId: string
  model: string
}

const kinds = ['input', 'cached', 'output', 'each', 'second'] as const

/** Enters a price. It is never changed; a newer one takes its place. */
export function TariffForm({ start, currency, onClose }: { start: PriceFor; currency: string; onClose: () => void }) {
  const t = useText('usage')
  const listId = useId()
  const [providerId, setProviderId] = useState(start.providerId)
  const [model, setModel] = useState(start.model)
  const [prices, setPrices] = useState({ input: '', cached: '', output: '', each: '', second: '' })
  const [from, setFrom] = useState(() => localDay(new Date()))
  const [tried, setTried] = useState(false)
  const models = useQuery(queryOf(connectionsRoutes.models))
  const known = models.data?.items ?? []
  const faults = {
    provider: providerId.trim() === '' ? t('price.fault.provider') : null,
    prices: [prices.input, prices.output, prices.each, prices.second].every((one) => one === '')
      ? t('price.fault.none')
      : null,
    from: from === '' ? t('price.fault.from') : null,
  }
  const wrong = (kind: (typeof kinds)[number]) =>
    prices[kind] !== '' && !isPrice(prices[kind]) ? t('price.fault.number') : null
  const save = useMutation({
    mutationFn: () => {
      const price = (kind: (typeof kinds)[number]) => prices[kind].trim() || null
      return call(usageRoutes.addTariff, {
        body: {
          providerId: providerId.trim(),
          model: model.trim() || null,
          inputPerMillion: price('input'),
          cachedPerMillion: price('cached'),
          outputPerMillion: price('output'),
          unitPrice: price('each'),
          secondPrice: price('second'),
          // Today's prices begin at midnight where the person is.
          effectiveFrom: new Date(`${from}T00:00:00`).toISOString(),
        },
      })
    },
    onSuccess: () => {
      for (const route of [usageRoutes.tariffs, usageRoutes.report, usageRoutes.mine]) void refresh(route)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('price.addTitle')}
      description={t('price.addText')}
      submit={t('save')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={() => {
        setTried(true)
        if (Object.values(faults).every((fault) => fault === null) && !kinds.some(wrong)) save.mutate()
      }}
      onClose={onClose}
    >
      <Field label={t('price.provider')} hint={t('price.providerHint')} error={tried ? faults.provider : null} required>
        <Input
          value={providerId}
          onChange={(event) => setProviderId(event.target.value)}
          list={`${listId}-providers`}
          autoFocus={start.providerId === ''}
          dir="ltr"
        />
      </Field>
      <Field label={t('table.model')} hint={t('price.modelHint')}>
        <Input
          value={model}
          onChange={(event) => setModel(event.target.value)}
          list={`${listId}-models`}
          maxLength={300}
          dir="ltr"
        />
      </Field>
      <datalist id={`${listId}-providers`}>
        {[...new Set(known.map(({ selection }) => selection.providerId ?? 'local'))].map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <datalist id={`${listId}-models`}>
        {known
          .filter(({ selection }) => (selection.providerId ?? 'local') === providerId)
          .map(({ selection }) => (
            <option key={selection.model} value={selection.model} />
          ))}
      </datalist>
      <fieldset className="grid grid-cols-2 gap-3">
        <legend className="mb-2 text-sm text-muted">{t('price.unit', { currency })}</legend>
        {kinds.map((kind) => (
          <Field
            key={kind}
            label={t(`price.${kind}`)}
            error={tried ? (wrong(kind) ?? (kind === 'input' ? faults.prices : null)) : null}
          >
            <Input
              value={prices[kind]}
              onChange={(event) => setPrices({ ...prices, [kind]: event.target.value })}
              inputMode="decimal"
              dir="ltr"
              autoFocus={kind === 'input' && start.providerId !== ''}
            />
          </Field>
        ))}
      </fieldset>
      <Field label={t('price.from')} hint={t('price.fromHint')} error={tried ? faults.from : null}>
        <Input type="date" value={from} onChange={(event) => setFrom(event.target.value)} className="w-44" />
      </Field>
    </FormDialog>
  )
}

const localDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
