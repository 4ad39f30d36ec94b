import { usageRoutes } from '@atrium/contract/usage'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useIsAdmin } from '../../../api/account.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { OwnBudgetRow } from '../costs/own-budget.tsx'
import { UsageChart } from '../parts/chart.tsx'
import { HeatMap } from '../parts/heat-map.tsx'
import { PartLevel, Section } from '../../../ui/section.tsx'
import { CapabilityTable, ModelTable } from '../parts/tables.tsx'
import { TotalsCards } from '../parts/totals.tsx'
import { offsetMinutes, spanDays } from '../search.ts'
import { useText } from 'virtual:words/usage'

const ToolUsageTable = lazy(() =>
  import('../../../blocks/tool-usage/tool-usage.tsx').then((module) => ({ default: module.ToolUsageTable })),
)

/** The own calls, what they cost, and what is left of the own budgets. */
export function MyUsagePage() {
  const t = useText('usage')
  const admin = useIsAdmin()
  const [days, setDays] = useState<string>('30')
  const query = { days: Number(days), offsetMinutes: offsetMinutes() }
  const mine = useQuery({
    ...queryOf(usageRoutes.mine, { query }),
    placeholderData: (before) => before,
    staleTime: 15_000,
  })
  return (
    <div id="figures" className="-mx-3 rounded-lg px-3">
      <p className="text-muted">{t('mine.about')}</p>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <SegmentedControl
          label={t('range.label')}
          value={days}
          onChange={setDays}
          options={spanDays.map((value) => ({ value: String(value), label: t('range.days', { count: value }) }))}
        />
        {admin && (
          <Button asChild size="small">
            <Link to={links.usage()}>{t('mine.everybody')}</Link>
          </Button>
        )}
      </div>
      {mine.isPending ? (
        <Skeleton lines={8} className="mt-6" />
      ) : mine.isError ? (
        <ErrorCard
          className="mt-6"
          title={t('notLoaded')}
          details={detailsOf(mine.error)}
          onRetry={() => void mine.refetch()}
        >
          {wordsOf(mine.error)}
        </ErrorCard>
      ) : (
        <PartLevel value={3}>
          {mine.data.budgets.length > 0 && (
            <Section id="budgets" title={t('mine.budgets')}>
              <ul className="flex flex-col gap-2.5">
                {mine.data.budgets.map((budget) => (
                  <OwnBudgetRow key={budget.id} budget={budget} currency={mine.data.currency} />
                ))}
              </ul>
            </Section>
          )}
          {mine.data.totals.calls === 0 ? (
            <EmptyState icon={<ChartColumn />} title={t('mine.empty')}>
              {t('mine.emptyText')}
            </EmptyState>
          ) : (
            <>
              <div className="mt-5">
                <TotalsCards own totals={mine.data.totals} currency={mine.data.currency} />
                <p className="mt-2 text-sm text-muted">
                  {t('onlyReported', {
                    count: mine.data.totals.calls,
                    metered: formatNumber(mine.data.totals.meteredCalls),
                  })}
                </p>
              </div>
              <UsageChart series={mine.data.series} hours={mine.data.hours} currency={mine.data.currency} />
              <ModelTable rows={mine.data.models} calls={mine.data.totals.calls} currency={mine.data.currency} />
              <CapabilityTable
                rows={mine.data.capabilities}
                calls={mine.data.totals.calls}
                currency={mine.data.currency}
              />
            </>
          )}
          <Suspense>
            <ToolUsageTable days={Number(days)} />
          </Suspense>
          {mine.data.heatmap.cells.length > 0 && <HeatMap heatmap={mine.data.heatmap} />}
        </PartLevel>
      )}
    </div>
  )
}
