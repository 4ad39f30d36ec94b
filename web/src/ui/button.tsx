import { cloneElement, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'
import { Spinner } from './spinner.tsx'

export interface ButtonProps extends ComponentProps<'button'> {
  /** `primary` once per view at most; `quiet` has no box until hovered. */
  tone?: 'primary' | 'plain' | 'quiet' | 'danger'
  size?: 'small' | 'normal' | 'large'
  /** Shown before the label. */
  icon?: ReactNode
  /** Shows a spinner and refuses clicks. */
  busy?: boolean
  /** Lets the only child (a link, say) be the button. */
  asChild?: boolean
}

export function Button({
  tone = 'plain',
  size = 'normal',
  icon,
  busy,
  asChild,
  className,
  disabled,
  children,
  ...rest
}: ButtonProps) {
  const look = classNames(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap select-none transition-colors duration-100',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
    sizes[size],
    tones[tone],
    className,
  )
  if (asChild) {
    const child = children as ReactElement<{ className?: string }>
    return cloneElement(child, { ...rest, className: classNames(look, child.props.className) })
  }
  return (
    <button type="button" className={look} aria-busy={busy || undefined} disabled={disabled || busy} {...rest}>
      {busy ? <Spinner size={14} /> : icon}
      {children}
    </button>
  )
}

const sizes = {
  small: 'h-control-small px-2.5 text-sm',
  normal: 'h-control px-3.5 text-base',
  large: 'h-[calc(var(--control)+0.5rem)] px-5 text-md',
}
const tones = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong active:bg-accent-strong',
  plain: 'border border-line-strong/45 bg-raised text-ink hover:bg-hover active:bg-pressed',
  quiet: 'text-muted hover:bg-hover hover:text-ink active:bg-pressed',
  danger: 'bg-danger text-on-danger hover:opacity-90',
}
