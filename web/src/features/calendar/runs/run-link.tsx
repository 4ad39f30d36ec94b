import { Link } from '@tanstack/react-router'
import { AlarmClockOff, Ban, Check, Hand, Hourglass, Loader, SkipForward, Workflow, X } from 'lucide-react'
import type { CSSProperties } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { links } from '../../../lib/links.ts'
import { formatShortTime, formatTime } from '../data/format.ts'
import type { RunEntry, RunMark } from './entries.ts'
import { useText } from 'virtual:words/calendar'

/** A run in a grid: it leads to its automation, and cannot be moved. */
export function RunLink({
  mark,
  tabbable,
  style,
  className,
}: {
  mark: RunMark
  /** Whether Tab stops here. */
  tabbable: boolean
  style?: CSSProperties
  className?: string
}) {
  const t = useText('calendar')
  const { name, state, automationId } = mark.run
  const time = formatTime(mark.range.start)
  return (
    <Link
      to={links.automation(automationId)}
      data-run={mark.key}
      draggable={false}
      tabIndex={tabbable ? 0 : -1}
      style={style}
      // The grid around it would begin an event.
      onPointerDown={(press) => press.stopPropagation()}
      onClick={(click) => click.stopPropagation()}
      onKeyDown={(press) => press.key === 'Enter' && press.stopPropagation()}
      className={classNames(
        'block min-w-0 overflow-hidden rounded-sm border border-dashed border-line-strong bg-canvas px-1 text-start text-xs text-muted select-none hover:bg-hover hover:text-ink focus-visible:z-20 focus-visible:-outline-offset-1',
        className,
      )}
    >
      <span className="sr-only">{t('runLabel', { name, time, state: t(`runState.${state}`) })}</span>
      <span aria-hidden className="flex h-full items-center gap-1">
        <Workflow className="size-3 shrink-0" />
        <RunSign state={state} />
        <span className="shrink-0 tabular-nums @max-[36rem]:hidden">{formatShortTime(mark.range.start)}</span>
        <span dir="auto" className="truncate">
          {name}
        </span>
      </span>
    </Link>
  )
}

/** How a run ended, or how far it is; nothing for one to come. */
export function RunSign({ state }: Pick<RunEntry, 'state'>) {
  if (state === 'upcoming') return null
  const { icon: Icon, tone } = signs[state]
  return <Icon aria-hidden className={`size-3 shrink-0 ${tone}`} />
}

const signs = {
  queued: { icon: Hourglass, tone: '' },
  waiting: { icon: Hand, tone: 'text-warn-ink' },
  running: { icon: Loader, tone: 'text-accent-ink' },
  succeeded: { icon: Check, tone: 'text-ok-ink' },
  failed: { icon: X, tone: 'text-danger-ink' },
  cancelled: { icon: Ban, tone: '' },
  skipped: { icon: SkipForward, tone: '' },
  missed: { icon: AlarmClockOff, tone: 'text-warn-ink' },
} as const
