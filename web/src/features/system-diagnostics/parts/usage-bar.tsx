import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { formatNumber, formatSize } from '../../../lib/format.ts'
import { useText } from 'virtual:words/system-diagnostics'

/** From here on it is said in words, too. */
const scarcePercent = 90

/** How much of something is used, as a bar with its figures. */
export function UsageBar({
  name,
  label,
  usage: { totalBytes, freeBytes, usedPercent },
}: {
  name: ReactNode
  /** The name for who does not see the bar. */
  label: string
  usage: { readonly totalBytes: number; readonly freeBytes: number; readonly usedPercent: number }
}) {
  const t = useText('system-diagnostics')
  const scarce = usedPercent >= scarcePercent
  const percent = formatNumber(usedPercent / 100, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <span className="min-w-0 break-words">{name}</span>
        <span className="text-muted tabular-nums">
          {t('usage.free', { free: formatSize(freeBytes), total: formatSize(totalBytes) })}
        </span>
      </div>
      <div
        role="meter"
        aria-label={label}
        aria-valuenow={usedPercent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={t('usage.used', { percent })}
        className="mt-1.5 h-2 overflow-hidden rounded-full bg-hover"
      >
        <div
          className={classNames('h-full rounded-full', scarce ? 'bg-danger-ink' : 'bg-accent')}
          style={{ width: `${usedPercent}%` }}
        />
      </div>
      <p className={classNames('mt-1 flex items-center gap-1.5 text-xs', scarce ? 'text-danger-ink' : 'text-muted')}>
        {scarce && <TriangleAlert aria-hidden className="size-3.5" />}
        {scarce ? t('usage.scarce', { percent }) : t('usage.used', { percent })}
      </p>
    </div>
  )
}
