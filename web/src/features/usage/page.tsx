import { accountsRoutes } from '@atrium/contract/accounts'
import { type UsageReport, usageRoutes } from '@atrium/contract/usage'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import { useIsAdmin } from '../../api/account.ts'
import { codeOf, detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf, refresh } from '../../api/query.ts'
import { formatNumber } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { UsageChart } from './parts/chart.tsx'
import { Controls } from './parts/controls.tsx'
import { HeatMap } from './parts/heat-map.tsx'
import { AccountTable, CapabilityTable, FailureTable, GroupTable, ModelTable, ProviderTable } from './parts/tables.tsx'
import { TotalsCards } from './parts/totals.tsx'
import { filterNames, toQuery, type UsageSearch } from './search.ts'
import { useText } from 'virtual:words/usage'

const Prices = lazy(() => import('./costs/tariffs.tsx').then((module) => ({ default: module.Prices })))
const PolicyChoice = lazy(() => import('./policy/policy.tsx').then((module) => ({ default: module.PolicyChoice })))
const ToolUsageTable = lazy(() =>
  import('../../blocks/tool-usage/tool-usage.tsx').then((module) => ({ default: module.ToolUsageTable })),
)
const Budgets = lazy(() => import('./costs/budgets.tsx').then((module) => ({ default: module.Budgets })))

/** Usage, prices and budgets of the instance. Whoever stops being an administrator is led to the own figures. */
export function UsagePage() {
  const t = useText('usage')
  useTitle(t('title'))
  const admin = useIsAdmin()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as UsageSearch
  if (!admin) return <Navigate to={links.settings('usage')} replace />
  const show = (change: Partial<UsageSearch>) =>
    void navigate({ to: links.usage(), search: { ...search, ...change } as never, replace: true })
  return (
    <div className="flex h-full min-h-0 flex-col px-4 pt-5 tab:px-8">
      <h1 className="mb-3 text-xl font-semibold tracking-tight">{t('title')}</h1>
      <Tabs
        label={t('title')}
        value={search.tab ?? 'usage'}
        onChange={(tab) => show({ tab: tab === 'usage' ? undefined : (tab as UsageSearch['tab']) })}
        className="-mx-4 flex-1 px-4 tab:-mx-8 tab:px-8"
        tabs={[
          { value: 'usage', label: t('tab.usage'), content: <Figures search={search} show={show} /> },
          {
            value: 'prices',
            label: t('tab.prices'),
            content: (
              <Suspense fallback={<Skeleton lines={6} />}>
                <Prices />
              </Suspense>
            ),
          },
          {
            value: 'budgets',
            label: t('tab.budgets'),
            content: (
              <Suspense fallback={<Skeleton lines={6} />}>
                <Budgets />
              </Suspense>
            ),
          },
          {
            value: 'policy',
            label: t('tab.policy'),
            content: (
              <Suspense fallback={<Skeleton lines={3} />}>
                <PolicyChoice />
              </Suspense>
            ),
          },
        ]}
      />
    </div>
  )
}

function Figures({ search, show }: { search: UsageSearch; show: (change: Partial<UsageSearch>) => void }) {
  const t = useText('usage')
  const query = toQuery(search)
  const report = useQuery({
    ...queryOf(usageRoutes.report, { query }),
    placeholderData: (before) => before,
    staleTime: 15_000,
  })
  // What can be chosen is what there is in these days without any filter.
  const { accountId: _a, groupId: _g, providerId: _p, model: _m, capability: _c, status: _s, ...range } = query
  const all = useQuery({ ...queryOf(usageRoutes.report, { query: range }), staleTime: 60_000 })
  const refused = codeOf(report.error) === 'forbidden'
  // The role is gone: once the page knows it, it leads elsewhere.
  useEffect(() => {
    if (refused) void refresh(accountsRoutes.me)
  }, [refused])
  const narrowed = filterNames.some((name) => search[name] !== undefined)
  return (
    <div className="max-w-6xl pb-16">
      <Controls search={search} show={show} all={all.data} busy={report.isFetching} />
      {report.data && report.data.policy !== 'full' && (
        <p className="mt-3 text-sm text-muted">{t(`policy.notice.${report.data.policy}`)}</p>
      )}
      {report.isPending ? (
        <Skeleton lines={8} className="mt-6" />
      ) : report.isError ? (
        <ErrorCard
          className="mt-6"
          title={t('notLoaded')}
          details={detailsOf(report.error)}
          onRetry={() => void report.refetch()}
        >
          {wordsOf(report.error)}
        </ErrorCard>
      ) : report.data.totals.calls === 0 ? (
        <>
          <EmptyState icon={<ChartColumn />} title={narrowed ? t('empty.filtered') : t('empty.title')}>
            {narrowed ? t('empty.filteredText') : t('empty.text')}
          </EmptyState>
          {!narrowed && report.data.heatmap.cells.length > 0 && <HeatMap heatmap={report.data.heatmap} />}
        </>
      ) : (
        <Report data={report.data} onNarrow={(name, value) => show({ [name]: value })} />
      )}
      {!narrowed && search.from === undefined && (
        <Suspense>
          <ToolUsageTable all days={query.days ?? 30} />
        </Suspense>
      )}
    </div>
  )
}

function Report({
  data,
  onNarrow,
}: {
  data: UsageReport
  onNarrow: (name: (typeof filterNames)[number], value: string) => void
}) {
  const t = useText('usage')
  const { totals, currency } = data
  const common = { calls: totals.calls, currency, onNarrow }
  return (
    <>
      <div className="mt-5">
        <TotalsCards totals={totals} currency={currency} />
        <p className="mt-2 text-sm text-muted">
          {t('onlyReported', { count: totals.calls, metered: formatNumber(totals.meteredCalls) })}
        </p>
      </div>
      <UsageChart series={data.series} hours={data.hours} currency={currency} />
      <ModelTable rows={data.models} {...common} />
      <ProviderTable rows={data.plugins} {...common} />
      <AccountTable rows={data.accounts} {...common} />
      {data.groups.length > 0 && <GroupTable rows={data.groups} {...common} />}
      <CapabilityTable rows={data.capabilities} {...common} />
      {data.failures.length > 0 && <FailureTable rows={data.failures} errors={totals.errors} />}
      <HeatMap heatmap={data.heatmap} />
    </>
  )
}
