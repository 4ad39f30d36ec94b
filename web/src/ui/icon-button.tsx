import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'
import { Tooltip } from './tooltip.tsx'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title'> {
  /** What it does: read aloud, and shown as a tooltip. */
  label: string
  icon: ReactNode
  /** Keys shown in the tooltip, such as `Mod+K`. */
  keys?: string
  size?: 'small' | 'normal'
  tone?: 'quiet' | 'plain' | 'primary' | 'danger'
  /** For toggles: sets `aria-pressed` and a filled look. */
  pressed?: boolean
  /** `none` where the label stands beside it anyway. */
  tooltipSide?: 'top' | 'bottom' | 'left' | 'right' | 'none'
}

export function IconButton({
  label,
  icon,
  keys,
  size = 'normal',
  tone = 'quiet',
  pressed,
  tooltipSide = 'bottom',
  className,
  ...rest
}: IconButtonProps) {
  const button = (
    <button
      type="button"
      aria-label={label}
      aria-pressed={pressed}
      className={classNames(
        'hit inline-grid shrink-0 place-items-center rounded-md transition-colors duration-100',
        'disabled:cursor-not-allowed disabled:opacity-50',
        size === 'small' ? 'size-control-small [&_svg]:size-3.5' : 'size-control [&_svg]:size-4',
        tones[tone],
        pressed && 'bg-accent-soft! text-accent-ink!',
        className,
      )}
      {...rest}
    >
      {icon}
    </button>
  )
  if (tooltipSide === 'none') return button
  return (
    <Tooltip text={label} keys={keys} side={tooltipSide}>
      {button}
    </Tooltip>
  )
}

const tones = {
  quiet: 'text-muted hover:bg-hover hover:text-ink active:bg-pressed aria-expanded:bg-hover aria-expanded:text-ink',
  plain: 'border border-line-strong/45 bg-raised text-ink hover:bg-hover',
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  danger: 'text-danger-ink hover:bg-danger-soft',
}
