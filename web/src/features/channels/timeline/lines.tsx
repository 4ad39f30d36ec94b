import type { ReactNode } from 'react'
import { dayName } from '../../../blocks/timeline/days.ts'
import { formatDateTime, formatTime } from '../../../lib/format.ts'
import { useText } from 'virtual:words/channels'

/** The name of a day between its messages and those of the one before. */
export const DayLine = ({ time }: { time: string }) => (
  <Line className="text-muted" rule="bg-line">
    {dayName(time, Date.now())}
  </Line>
)

/** Where what came meanwhile begins. */
export function NewLine({ time }: { time: string }) {
  const t = useText('channels')
  const isToday = new Date(time).toDateString() === new Date().toDateString()
  return (
    <Line className="text-danger-ink" rule="bg-danger-ink/50">
      {t('timeline.new', { time: isToday ? formatTime(time) : formatDateTime(time) })}
    </Line>
  )
}

const Line = ({ className, rule, children }: { className: string; rule: string; children: ReactNode }) => (
  <p role="separator" className={`flex items-center gap-3 px-4 pt-3 pb-1 text-xs font-medium ${className}`}>
    <span className={`h-px flex-1 ${rule}`} />
    {children}
    <span className={`h-px flex-1 ${rule}`} />
  </p>
)
