import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

/** A small panel tied to its trigger, for more than a list of actions. */
export function Popover({
  trigger,
  label,
  open,
  onOpenChange,
  align = 'start',
  side,
  className,
  children,
}: {
  /** One focusable element. */
  trigger: ReactNode
  /** Its name for screen readers. */
  label: string
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'left' | 'right'
  className?: string
  children: ReactNode
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className={cx(
            'anim-appear z-50 max-h-(--radix-popper-available-height) max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-line bg-raised p-3 shadow-mid',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
/** Closes the popover it stands in; takes one focusable child. */
export const PopoverClose = ({ children }: { children: ReactNode }) => <Radix.Close asChild>{children}</Radix.Close>
