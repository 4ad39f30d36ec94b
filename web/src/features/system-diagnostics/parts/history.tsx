import type { InstanceHistory } from '@atrium/contract/system-diagnostics'
import { lazy, Suspense, useMemo } from 'react'
import { Boundary } from '../../../blocks/boundary.tsx'
import { formatDuration, formatNumber, formatSize, formatTime } from '../../../lib/format.ts'
import { type ChartLine, lineColours } from '../../../ui/chart-lines.ts'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useText } from 'virtual:words/system-diagnostics'
import { formatCores } from './processes.tsx'

const LineChart = lazy(() => import('../../../ui/line-chart.tsx').then((module) => ({ default: module.LineChart })))

type Sample = InstanceHistory['items'][number]['samples'][number]

const measures = [
  ['cpu', ({ cpuCores }: Sample) => cpuCores, formatCores],
  ['delay', ({ loopDelayMs }: Sample) => loopDelayMs, formatDuration],
  ['memory', ({ rssBytes }: Sample) => rssBytes, formatSize],
  ['streams', ({ streams }: Sample) => streams, (value: number) => formatNumber(value, { maximumFractionDigits: 1 })],
  ['answers', ({ answers }: Sample) => answers, (value: number) => formatNumber(value, { maximumFractionDigits: 1 })],
] as const

/** The last hour, a line for each process. */
export function HistorySection({ history }: { history: InstanceHistory }) {
  const t = useText('system-diagnostics')
  const { items } = history
  const times = useMemo(
    () => [...new Set(items.flatMap(({ samples }) => samples.map(({ at }) => Date.parse(at))))].sort((a, b) => a - b),
    [items],
  )
  const names = items.map(({ host, pid }) => `${host} · ${pid}`)
  return (
    <Section title={t('history.title')} text={t('history.about')}>
      {items.length > 1 && (
        <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {names.map((name, index) => (
            <li key={name} className="flex items-center gap-1.5">
              <span
                aria-hidden
                className="h-0.5 w-4 rounded-full"
                style={{ background: `var(--${lineColours[index % lineColours.length]})` }}
              />
              <bdi dir="ltr">{name}</bdi>
            </li>
          ))}
        </ul>
      )}
      <div className="grid gap-x-6 gap-y-4 tab:grid-cols-2">
        {measures.map(([measure, valueOf, show]) => (
          <Measure
            key={measure}
            title={t(`history.${measure}`)}
            times={times}
            items={items}
            valueOf={valueOf}
            show={show}
          />
        ))}
      </div>
    </Section>
  )
}

function Measure({
  title,
  times,
  items,
  valueOf,
  show,
}: {
  title: string
  times: readonly number[]
  items: InstanceHistory['items']
  valueOf: (sample: Sample) => number
  show: (value: number) => string
}) {
  const t = useText('system-diagnostics')
  const lines = useMemo(
    () =>
      items.map(({ host, pid, samples }): ChartLine => {
        const byTime = new Map(samples.map((sample) => [Date.parse(sample.at), valueOf(sample)]))
        return { name: `${host} · ${pid}`, values: times.map((time) => byTime.get(time) ?? null) }
      }),
    [items, times, valueOf],
  )
  const all = lines.flatMap(({ values }) => values.filter((value) => value !== null))
  const now = items.reduce((sum, { samples }) => sum + (samples.length > 0 ? valueOf(samples.at(-1) as Sample) : 0), 0)
  const summary = t('history.summary', { what: title, now: show(now), most: show(Math.max(0, ...all)) })
  return (
    <figure className="min-w-0 rounded-lg border border-line bg-raised px-3 pt-2.5">
      <figcaption className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="font-medium">{title}</span>
        <span className="text-muted tabular-nums">{t('history.most', { most: show(Math.max(0, ...all)) })}</span>
      </figcaption>
      <div role="img" aria-label={summary} dir="ltr" className="min-w-0">
        {/* Where nothing can be drawn, the words are there. */}
        <Boundary about={times} fallback={null}>
          <Suspense fallback={<Skeleton lines={4} />}>
            <LineChart times={times} lines={lines} showTime={formatTime} show={show} />
          </Suspense>
        </Boundary>
      </div>
    </figure>
  )
}
