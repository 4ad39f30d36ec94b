import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'

/** A word about a state. Colour only repeats what the word says. */
export function Badge({
  tone = 'plain',
  icon,
  className,
  children,
}: {
  tone?: 'plain' | 'accent' | 'ok' | 'warn' | 'danger' | 'info'
  icon?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 shrink-0 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap [&_svg]:size-3',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  )
}

const tones = {
  plain: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent-ink',
  ok: 'bg-ok-soft text-ok-ink',
  warn: 'bg-warn-soft text-warn-ink',
  danger: 'bg-danger-soft text-danger-ink',
  info: 'bg-info-soft text-info-ink',
}
