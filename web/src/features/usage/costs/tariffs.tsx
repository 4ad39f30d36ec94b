import { type Tariff, usageRoutes } from '@atrium/contract/usage'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Plus, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { formatDateTime, formatDay, formatMoney, formatNumber } from '../../../lib/format.ts'
import { matchesQuery } from '../../../lib/match.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { Section } from '../../../ui/section.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import type { UsageSearch } from '../search.ts'
import { useText } from 'virtual:words/usage'
import { RemoveTariff } from './remove-tariff.tsx'
import { type PriceFor, TariffForm } from './tariff-form.tsx'

/** Every price with its history, those that are missing, and the currency they are in. */
export function Prices() {
  const t = useText('usage')
  const { providerId, model } = useSearch({ strict: false }) as UsageSearch
  // An address that names a model asks for its price.
  const [form, setForm] = useState<PriceFor | null>(providerId && model ? { providerId, model } : null)
  const [removing, setRemoving] = useState<Tariff | null>(null)
  const [typed, setTyped] = useState('')
  const tariffs = useQuery({ ...queryOf(usageRoutes.tariffs), staleTime: 30_000 })
  if (tariffs.isPending) return <Skeleton lines={6} />
  if (tariffs.isError) {
    return (
      <ErrorCard title={t('notLoaded')} details={detailsOf(tariffs.error)} onRetry={() => void tariffs.refetch()}>
        {wordsOf(tariffs.error)}
      </ErrorCard>
    )
  }
  const { currency, items, unpriced } = tariffs.data
  const shown = items.filter((tariff) => matchesQuery(typed.trim(), `${tariff.providerId} ${tariff.model ?? ''}`))
  const price = (value: string | null) => (value === null ? '–' : formatMoney(value, currency))
  return (
    <div className="max-w-6xl pb-16">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 text-sm text-muted">{t('price.about')}</p>
        <Currency currency={currency} />
        <Button
          tone="primary"
          icon={<Plus className="size-4" />}
          onClick={() => setForm({ providerId: '', model: '' })}
        >
          {t('price.add')}
        </Button>
      </div>
      {unpriced.length > 0 && (
        <Section title={t('price.missing')} text={t('price.missingText')}>
          <ul className="flex flex-wrap gap-2">
            {unpriced.map((row) => (
              <li key={`${row.pluginId} ${row.model}`}>
                <Button
                  size="small"
                  icon={<TriangleAlert className="size-3.5 text-warn-ink" />}
                  onClick={() => setForm({ providerId: row.pluginId, model: row.model })}
                >
                  <bdi className="max-w-72 truncate">
                    {row.pluginName}: {row.model}
                  </bdi>
                  <span className="font-normal text-muted">{t('heat.calls', { count: row.calls })}</span>
                </Button>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section
        title={t('price.all')}
        text={t('price.unit', { currency })}
        actions={
          <Input
            aria-label={t('price.search')}
            placeholder={t('price.search')}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className="max-w-56"
          />
        }
      >
        <DataTable
          label={t('price.all')}
          rows={shown}
          keyOf={(tariff) => tariff.id}
          columns={[
            {
              name: t('table.model'),
              rowHead: true,
              cell: (tariff: Tariff) => (
                <>
                  <bdi>{tariff.model ?? t('price.everyModel')}</bdi>
                  <span className="block text-xs text-muted">
                    <bdi>{tariff.providerId}</bdi>
                  </span>
                </>
              ),
            },
            { name: t('price.input'), end: true, cell: (tariff) => price(tariff.inputPerMillion) },
            { name: t('price.cached'), end: true, cell: (tariff) => price(tariff.cachedPerMillion) },
            { name: t('price.output'), end: true, cell: (tariff) => price(tariff.outputPerMillion) },
            { name: t('price.each'), end: true, cell: (tariff) => price(tariff.unitPrice) },
            { name: t('price.second'), end: true, cell: (tariff) => price(tariff.secondPrice) },
            {
              name: t('price.since'),
              cell: (tariff) =>
                tariff.source === 'own' ? (
                  <>
                    {formatDateTime(tariff.effectiveFrom)} <Badge tone="accent">{t('price.own')}</Badge>
                  </>
                ) : (
                  <span className="text-xs text-muted">
                    <bdi dir="ltr" className="break-all">
                      {tariff.sourceUrl}
                    </bdi>
                    {tariff.readAt && (
                      <span className="block">{t('price.readAt', { day: formatDay(tariff.readAt) })}</span>
                    )}
                  </span>
                ),
            },
            {
              name: t('budget.remove'),
              end: true,
              cell: (tariff) =>
                tariff.source === 'own' && (
                  <IconButton
                    label={t('budget.removeName', { name: tariff.model ?? tariff.providerId })}
                    icon={<Trash2 />}
                    size="small"
                    onClick={() => setRemoving(tariff)}
                  />
                ),
            },
          ]}
        />
        <p className="mt-1.5 text-sm text-muted">
          {t('price.count', { count: shown.length, all: formatNumber(items.length) })}
        </p>
      </Section>
      {removing && <RemoveTariff tariff={removing} onClose={() => setRemoving(null)} />}
      {form && <TariffForm start={form} currency={currency} onClose={() => setForm(null)} />}
    </div>
  )
}

const currencies = [
  'USD',
  'EUR',
  'GBP',
  'CHF',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
  'CAD',
  'AUD',
  'INR',
  'JPY',
  'CNY',
  'SAR',
  'AED',
  'EGP',
  'BRL',
]

function Currency({ currency }: { currency: string }) {
  const t = useText('usage')
  const set = useMutation({
    mutationFn: (next: string) => call(usageRoutes.setCurrency, { body: { currency: next } }),
    onSuccess: () =>
      Promise.all([refresh(usageRoutes.tariffs), refresh(usageRoutes.report), refresh(usageRoutes.budgets)]),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const options = currencies.includes(currency) ? currencies : [currency, ...currencies]
  return (
    <Select
      aria-label={t('price.currency')}
      title={t('price.currencyText')}
      value={currency}
      disabled={set.isPending}
      onChange={(next) => set.mutate(next)}
      options={options.map((value) => ({ value, label: value }))}
      className="w-24"
    />
  )
}
