import { formatDay, formatNumber } from '../../../lib/format.ts'
import { useText } from 'virtual:words/automations'

interface Day {
  day: string
  succeeded: number
  failed: number
}

/** How the runs of each of the last 30 days ended. */
export function Bars({ days }: { days: readonly Day[] }) {
  const t = useText('automations')
  const most = Math.max(1, ...days.map(({ succeeded, failed }) => succeeded + failed))
  const sum = (of: 'succeeded' | 'failed') => days.reduce((total, day) => total + day[of], 0)
  const text = t('lastDays', { succeeded: formatNumber(sum('succeeded')), failed: formatNumber(sum('failed')) })
  return (
    <figure className="rounded-lg border border-line bg-raised p-3">
      <div aria-hidden className="flex h-14 items-end gap-px">
        {days.map(({ day, succeeded, failed }) => (
          <div
            key={day}
            className="flex h-full flex-1 flex-col justify-end"
            title={`${formatDay(`${day}T12:00:00`)}: ${t('dayCounts', { succeeded: formatNumber(succeeded), failed: formatNumber(failed) })}`}
          >
            {succeeded + failed === 0 && <div className="h-px bg-line" />}
            <div className="bg-danger" style={{ height: `${(failed / most) * 100}%` }} />
            <div className="bg-accent" style={{ height: `${(succeeded / most) * 100}%` }} />
          </div>
        ))}
      </div>
      <figcaption className="mt-2 text-sm text-muted">{text}</figcaption>
    </figure>
  )
}
