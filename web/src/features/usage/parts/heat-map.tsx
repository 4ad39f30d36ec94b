import type { UsageReport } from '@atrium/contract/usage'
import { useEffect, useRef } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { calendarDay } from '../figures.ts'
import { useText } from 'virtual:words/usage'
import { Section } from '../../../ui/section.tsx'

const step = 13
const dayMs = 86_400_000

/** A year of days, darker where there were more calls. Pointing at a day tells its models. */
export function HeatMap({ heatmap }: { heatmap: UsageReport['heatmap'] }) {
  const t = useText('usage')
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The newest days are the ones that are looked for.
    const element = scroller.current
    if (element) element.scrollLeft = element.scrollWidth
  }, [])
  const cells = new Map(heatmap.cells.map((cell) => [cell.day, cell]))
  const most = Math.max(1, ...heatmap.cells.map((cell) => cell.calls))
  const first = Date.parse(`${heatmap.from}T00:00:00Z`)
  const lead = (new Date(first).getUTCDay() + 6) % 7
  const days = Array.from({ length: heatmap.days }, (_, index) =>
    new Date(first + index * dayMs).toISOString().slice(0, 10),
  )
  const weeks = Math.ceil((lead + days.length) / 7)
  const inAll = () => t('heat.text', { count: sum, days: t('heat.days', { count: heatmap.cells.length }) })
  const sum = heatmap.cells.reduce((total, cell) => total + cell.calls, 0)
  const tell = (day: string): string => {
    const cell = cells.get(day)
    const models = heatmap.models.flatMap(({ model }, index) => {
      const calls = cell?.models[index] ?? 0
      return calls > 0 ? [`${model}: ${formatNumber(calls)}`] : []
    })
    return [`${calendarDay(day)}: ${t('heat.calls', { count: cell?.calls ?? 0 })}`, ...models].join('\n')
  }
  return (
    <Section id="year" title={t('heat.title')} text={inAll()}>
      <div
        ref={scroller}
        dir="ltr"
        role="region"
        aria-label={t('heat.title')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="overflow-x-auto rounded-lg border border-line p-3 focus-visible:outline-2"
      >
        <svg width={weeks * step} height={7 * step + 16} role="img" aria-label={inAll()} className="block text-2xs">
          {days.map((day, index) => {
            const place = lead + index
            const calls = cells.get(day)?.calls ?? 0
            return (
              <rect
                key={day}
                x={Math.floor(place / 7) * step}
                y={(place % 7) * step + 14}
                width={step - 3}
                height={step - 3}
                rx="2"
                className={calls > 0 ? 'fill-accent' : 'fill-hover'}
                fillOpacity={calls > 0 ? 0.25 + 0.75 * Math.sqrt(calls / most) : 1}
              >
                <title>{tell(day)}</title>
              </rect>
            )
          })}
          {days.map((day, index) =>
            day.endsWith('-01') ? (
              <text
                key={`month ${day}`}
                x={Math.floor((lead + index) / 7) * step}
                y="9"
                className="fill-muted"
                fontSize="10"
              >
                {calendarDay(day, { day: undefined, year: undefined })}
              </text>
            ) : null,
          )}
        </svg>
      </div>
      {heatmap.models.length > 0 && (
        <p className="mt-1.5 text-sm text-muted">
          {t('heat.busiest')} <bdi>{heatmap.models.map(({ model }) => model).join(', ')}</bdi>
        </p>
      )}
    </Section>
  )
}
