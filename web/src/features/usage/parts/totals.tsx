import type { UsageReport } from '@atrium/contract/usage'
import type { ReactNode } from 'react'
import { formatDuration, formatMoney, formatNumber } from '../../../lib/format.ts'
import { formatPercent, formatCompact } from '../figures.ts'
import { useText } from 'virtual:words/usage'

type Totals = UsageReport['totals']

/** The figures of the whole range, each with what it is made of. */
export function TotalsCards({ totals, currency, own }: { totals: Totals; currency: string; own?: boolean }) {
  const t = useText('usage')
  const { latency, firstToken } = totals
  const spread = (timing: Totals['latency']) =>
    timing ? t('totals.spread', { p50: formatDuration(timing.p50), p95: formatDuration(timing.p95) }) : t('totals.none')
  return (
    <dl className="grid grid-cols-2 gap-2.5 tab:grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))]">
      <Card name={t('totals.calls')} value={formatCompact(totals.calls)}>
        {t('totals.failed', { count: totals.failedCalls })}
        {totals.cancelledCalls > 0 && ` · ${t('totals.cancelled', { count: totals.cancelledCalls })}`}
      </Card>
      <Card name={t('totals.success')} value={totals.successRate === null ? '–' : formatPercent(totals.successRate)}>
        {t('totals.ofCalls', { count: totals.calls - totals.cancelledCalls })}
      </Card>
      <Card name={t('totals.tokens')} value={formatCompact(totals.reportedTokens)}>
        {t('totals.inOut', {
          input: formatCompact(totals.promptTokens),
          output: formatCompact(totals.completionTokens),
        })}
        {totals.cachedTokens > 0 && ` · ${t('totals.cached', { tokens: formatCompact(totals.cachedTokens) })}`}
        {totals.reasoningTokens > 0 && ` · ${t('totals.reasoning', { tokens: formatCompact(totals.reasoningTokens) })}`}
      </Card>
      <Card name={t('totals.cost')} value={totals.cost === null ? '–' : formatMoney(totals.cost, currency)}>
        {totals.unpricedCalls > 0
          ? t('totals.unpriced', { count: totals.unpricedCalls })
          : totals.calls > 0
            ? t('totals.allPriced')
            : t('totals.none')}
      </Card>
      <Card name={t('totals.latency')} value={latency ? formatDuration(latency.mean) : '–'}>
        {spread(latency)}
      </Card>
      <Card name={t('totals.firstToken')} value={firstToken ? formatDuration(firstToken.mean) : '–'}>
        {spread(firstToken)}
      </Card>
      {!own && (
        <Card name={t('totals.users')} value={formatNumber(totals.uniqueUsers)}>
          {t('totals.usersText')}
        </Card>
      )}
    </dl>
  )
}

function Card({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col rounded-lg border border-line bg-raised px-3.5 py-3">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5 text-xl font-semibold tracking-tight tabular-nums">
        <bdi>{value}</bdi>
      </dd>
      <dd className="mt-0.5 text-xs text-muted">{children}</dd>
    </div>
  )
}
