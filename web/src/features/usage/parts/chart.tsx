import { lazy, Suspense, useMemo, useState } from 'react'
import { Boundary } from '../../../blocks/boundary.tsx'
import { formatMoney, formatNumber } from '../../../lib/format.ts'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { calendarDay } from '../figures.ts'
import { useText } from 'virtual:words/usage'
import { Section } from '../../../ui/section.tsx'
import { DataTable } from '../../../ui/data-table.tsx'

const Bars = lazy(() => import('./bars.tsx').then((module) => ({ default: module.Bars })))

export interface SeriesDay {
  readonly day: string
  readonly calls: number
  readonly errors: number
  readonly tokens: number
  readonly cost: string | null
}

const measures = ['calls', 'tokens', 'cost'] as const
type Measure = (typeof measures)[number]

const valueOf = (day: SeriesDay, measure: Measure): number =>
  measure === 'cost' ? Number(day.cost ?? 0) : day[measure]

/** A bar for each day; the same figures as a table for those who read them better there. */
export function DailyChart({ series, currency }: { series: readonly SeriesDay[]; currency: string }) {
  const t = useText('usage')
  const [measure, setMeasure] = useState<Measure>('calls')
  const [pointed, setPointed] = useState<number | null>(null)
  const days = useMemo(() => series.map((day) => day.day), [series])
  const values = useMemo(() => series.map((day) => valueOf(day, measure)), [series, measure])
  const show = (value: number) => (measure === 'cost' ? formatMoney(String(value), currency) : formatNumber(value))
  const sum = values.reduce((total, value) => total + value, 0)
  const most = Math.max(0, ...values)
  const summary =
    most > 0
      ? t('chart.summary', {
          what: t(`chart.${measure}`),
          sum: show(sum),
          most: show(most),
          day: calendarDay(days[values.indexOf(most)] ?? ''),
        })
      : t('chart.nothing')
  return (
    <Section
      title={t('chart.title')}
      actions={
        <SegmentedControl
          label={t('chart.measure')}
          value={measure}
          onChange={setMeasure}
          options={measures.map((value) => ({ value, label: t(`chart.${value}`) }))}
        />
      }
    >
      <div role="img" aria-label={summary} className="h-56 min-w-0" dir="ltr">
        {/* Where nothing can be drawn, the words and the table are there. */}
        <Boundary about={series} fallback={null}>
          <Suspense fallback={<Skeleton lines={5} />}>
            <Bars days={days} values={values} show={show} onPoint={setPointed} />
          </Suspense>
        </Boundary>
      </div>
      <p className="mt-1 text-sm text-muted">
        {pointed === null ? summary : `${calendarDay(days[pointed] ?? '')}: ${show(values[pointed] ?? 0)}`}
      </p>
      <details className="mt-1">
        <summary className="w-fit py-1 text-sm text-muted hover:text-ink">{t('chart.asTable')}</summary>
        <DataTable
          label={t('chart.title')}
          columns={[
            { name: t('table.day'), cell: (day: SeriesDay) => calendarDay(day.day), rowHead: true },
            { name: t('chart.calls'), cell: (day) => formatNumber(day.calls), end: true },
            { name: t('table.errors'), cell: (day) => formatNumber(day.errors), end: true },
            { name: t('chart.tokens'), cell: (day) => formatNumber(day.tokens), end: true },
            {
              name: t('chart.cost'),
              cell: (day) => (day.cost === null ? '–' : formatMoney(day.cost, currency)),
              end: true,
            },
          ]}
          rows={series.toReversed()}
          keyOf={(day) => day.day}
        />
      </details>
    </Section>
  )
}
