import type { FeatureDecision } from '@atrium/contract/access'
import { type AccountPreview, type ListedUser, userAdministrationRoutes } from '@atrium/contract/user-administration'
import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { queryOf } from '../../../../api/query.ts'
import { QueryView } from '../../../../blocks/setting-row/query-view.tsx'
import { Group } from '../../../../blocks/setting-row/row.tsx'
import { formatList, formatMoney, formatSize } from '../../../../lib/format.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Disclosure } from '../../../../ui/disclosure.tsx'
import { useText as useFeatureText } from 'virtual:words/feature-access'
import { useText } from 'virtual:words/user-administration'

/** What the person can use, as the server decides when they ask: nothing here opens what they have. */
export function PersonPreview({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const preview = useQuery({
    ...queryOf(userAdministrationRoutes.preview, { params: { id: user.id } }),
    staleTime: 0,
  })
  return (
    <Group title={t('preview.title')} text={t('preview.text')}>
      <QueryView query={preview}>
        {(shown) => (
          <>
            <h4 className="mt-3 text-sm font-medium text-muted">{t('preview.features')}</h4>
            <ul aria-label={t('preview.features')}>
              {shown.features.map((decision) => (
                <Feature key={decision.name} decision={decision} />
              ))}
            </ul>
            <Models preview={shown} />
            <Limits preview={shown} />
          </>
        )}
      </QueryView>
    </Group>
  )
}

function Feature({ decision: { name, allowed, reason, groups, needs } }: { decision: FeatureDecision }) {
  const t = useText('user-administration')
  const words = useFeatureText('feature-access')
  const names =
    reason === 'needs-other' ? needs.map((each) => words(`name.${each}`)) : groups.map((group) => group.name)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
      <span className="min-w-40 flex-1">
        {words(`name.${name}`)}
        <span className="block text-sm text-muted">{t(`preview.reason.${reason}`, { names: formatList(names) })}</span>
      </span>
      <Badge tone={allowed ? 'ok' : 'plain'} icon={allowed ? <Check /> : <X />}>
        {t(allowed ? 'preview.allowed' : 'preview.notAllowed')}
      </Badge>
    </li>
  )
}

function Models({ preview: { connections, firstModel } }: { preview: AccountPreview }) {
  const t = useText('user-administration')
  return (
    <>
      <h4 className="mt-5 text-sm font-medium text-muted">{t('preview.models')}</h4>
      {firstModel !== null && <p className="mt-1 text-sm">{t('preview.firstModel', { name: firstModel })}</p>}
      {connections.length === 0 && <p className="py-2 text-muted">{t('preview.noModels')}</p>}
      {connections.map(({ type, id, name, models }) => (
        <Disclosure
          key={`${type} ${id ?? ''}`}
          title={
            <span>
              <bdi className="text-ink">{name}</bdi> · {t('preview.modelCount', { count: models.length })}
            </span>
          }
          className="border-b border-line py-1"
        >
          <ul className="columns-1 gap-6 pb-2 ps-5 text-sm sm:columns-2">
            {models.map((model) => (
              <li key={model.model} className="break-inside-avoid py-0.5 wrap-anywhere">
                <bdi>{model.name}</bdi>
              </li>
            ))}
          </ul>
        </Disclosure>
      ))}
    </>
  )
}

function Limits({ preview: { budgets, currency, storage } }: { preview: AccountPreview }) {
  const t = useText('user-administration')
  const amountOf = (amount: string, unit: AccountPreview['budgets'][number]['unit']) =>
    unit === 'money' ? formatMoney(amount, currency) : t('preview.tokens', { count: Number(amount) })
  const used = formatSize(storage.usedBytes)
  return (
    <>
      <h4 className="mt-5 text-sm font-medium text-muted">{t('preview.limits')}</h4>
      <ul aria-label={t('preview.limits')}>
        <li className="flex flex-wrap gap-x-3 border-b border-line py-2">
          <span className="min-w-40 flex-1">{t('preview.storage')}</span>
          <span className="tabular-nums">
            {storage.quotaBytes === 0
              ? t('preview.storageUsed', { used })
              : t('preview.storageOf', { used, quota: formatSize(storage.quotaBytes) })}
          </span>
        </li>
        {budgets.map(({ id, name, unit, amount, remaining, state }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 border-b border-line py-2">
            <span className="min-w-40 flex-1 wrap-anywhere">
              <bdi>{name}</bdi>
            </span>
            <span className="tabular-nums">
              {amount === null || remaining === null
                ? t('preview.sharedBudget')
                : t('preview.left', { left: amountOf(remaining, unit), amount: amountOf(amount, unit) })}
            </span>
            {state !== 'normal' && <Badge tone="warn">{t(`preview.state.${state}`)}</Badge>}
          </li>
        ))}
      </ul>
      {budgets.length === 0 && <p className="py-2 text-muted">{t('preview.noBudgets')}</p>}
    </>
  )
}
