import { lazy, Suspense, useMemo, useState } from 'react'
import { Boundary } from '../../../blocks/boundary.tsx'
import { formatDateTime, formatMoney, formatNumber, formatTime } from '../../../lib/format.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { calendarDay } from '../figures.ts'
import { useText } from 'virtual:words/usage'
import { Section } from '../../../ui/section.tsx'
import { DataTable } from '../../../ui/data-table.tsx'

const Bars = lazy(() => import('./bars.tsx').then((module) => ({ default: module.Bars })))

interface Sums {
  readonly calls: number
  readonly errors: number
  readonly tokens: number
  readonly cost: string | null
}
/** Sums of a day or an hour, with its name under a bar and in a sentence. */
interface Point extends Sums {
  readonly id: string
  readonly short: string
  readonly name: string
}

const measures = ['calls', 'tokens', 'cost'] as const
type Measure = (typeof measures)[number]

const valueOf = (day: Sums, measure: Measure): number => (measure === 'cost' ? Number(day.cost ?? 0) : day[measure])

/** A bar for each day, or for each hour where there are some. */
export function UsageChart({
  series,
  hours,
  currency,
}: {
  series: readonly (Sums & { readonly day: string })[]
  hours: readonly (Sums & { readonly startedAt: string })[]
  currency: string
}) {
  const t = useText('usage')
  const byHour = hours.length > 0
  const points = useMemo(
    () =>
      byHour
        ? hours.map((hour) => ({
            ...hour,
            id: hour.startedAt,
            short: formatTime(hour.startedAt),
            name: formatDateTime(hour.startedAt),
          }))
        : series.map((day) => ({
            ...day,
            id: day.day,
            short: calendarDay(day.day, { year: undefined }),
            name: calendarDay(day.day),
          })),
    [series, hours, byHour],
  )
  return (
    <PointChart
      points={points}
      title={t(byHour ? 'chart.byHour' : 'chart.title')}
      time={t(byHour ? 'table.hour' : 'table.day')}
      currency={currency}
    />
  )
}

/** The bars; the same figures as a table for those who read them better there. */
function PointChart(by: { points: readonly Point[]; title: string; time: string; currency: string }) {
  const t = useText('usage')
  const { points, title, currency } = by
  const [measure, setMeasure] = useState<Measure>('calls')
  const [pointed, setPointed] = useState<number | null>(null)
  const names = useMemo(() => points.map(({ short }) => short), [points])
  const values = useMemo(() => points.map((point) => valueOf(point, measure)), [points, measure])
  const show = (value: number) => (measure === 'cost' ? formatMoney(String(value), currency) : formatNumber(value))
  const sum = values.reduce((total, value) => total + value, 0)
  const most = Math.max(0, ...values)
  const summary =
    most > 0
      ? t('chart.summary', {
          what: t(`chart.${measure}`),
          sum: show(sum),
          most: show(most),
          day: points[values.indexOf(most)]?.name ?? '',
        })
      : t('chart.nothing')
  return (
    <Section
      title={title}
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
        <Boundary about={points} fallback={null}>
          <Suspense fallback={<Skeleton lines={5} />}>
            <Bars names={names} values={values} show={show} onPoint={setPointed} />
          </Suspense>
        </Boundary>
      </div>
      <p className="mt-1 text-sm text-muted">
        {pointed === null ? summary : `${points[pointed]?.name ?? ''}: ${show(values[pointed] ?? 0)}`}
      </p>
      <Disclosure title={t('chart.asTable')} className="mt-1">
        <DataTable
          label={title}
          columns={[
            { name: by.time, cell: (point: Point) => point.name, rowHead: true },
            { name: t('chart.calls'), cell: (point) => formatNumber(point.calls), end: true },
            { name: t('table.errors'), cell: (point) => formatNumber(point.errors), end: true },
            { name: t('chart.tokens'), cell: (point) => formatNumber(point.tokens), end: true },
            {
              name: t('chart.cost'),
              cell: (point) => (point.cost === null ? '–' : formatMoney(point.cost, currency)),
              end: true,
            },
          ]}
          rows={points.toReversed()}
          keyOf={({ id }) => id}
        />
      </Disclosure>
    </Section>
  )
}
