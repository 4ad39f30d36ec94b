import type { Budget } from '@atrium/contract/usage'
import { classNames } from '../../../lib/class-names.ts'
import { i18n, type Translate } from '../../../lib/texts.ts'
import { formatPercent } from '../figures.ts'

export const stateTones = { normal: 'ok', warned: 'warn', exceeded: 'danger' } as const

/** How much of a budget is spent. */
export function Meter({
  spent,
  amount,
  state,
  label,
}: {
  spent: number
  amount: number
  state: Budget['state']
  label: string
}) {
  const share = amount > 0 ? spent / amount : 1
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, Math.round(share * 100))}
      aria-valuetext={formatPercent(share)}
      className="my-2 h-2 overflow-hidden rounded-full bg-hover"
    >
      <div
        className={classNames(
          'h-full rounded-full',
          { normal: 'bg-accent', warned: 'bg-warn-ink', exceeded: 'bg-danger' }[state],
        )}
        style={{ width: `${Math.min(100, share * 100)}%` }}
      />
    </div>
  )
}

/** `Begins anew on Monday, 23 November`: periods are those of UTC, the moment is told in the person's own time. */
export const untilWords = (
  t: Translate,
  { period, resetsAt }: { period: Budget['period']; resetsAt: string },
): string =>
  t(`budget.until.${period}`, {
    when: new Intl.DateTimeFormat(i18n.language, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      hour: 'numeric',
      minute: '2-digit',
    }).format(new Date(resetsAt)),
  })
