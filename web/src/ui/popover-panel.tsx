import { Popover as Radix } from 'radix-ui'
import type { RefObject } from 'react'
import { classNames } from '../lib/class-names.ts'
import { landmarkOf } from './landmark.ts'
import type { PanelProps } from './panel-props.ts'

interface PopoverPanelProps extends PanelProps {
  anchor: RefObject<HTMLElement | null>
  label: string
}

/** The open panel of a popover. Loaded when first needed. */
export function PopoverPanel({ anchor, label, align, side, onClose, className, children }: PopoverPanelProps) {
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Anchor virtualRef={anchor as RefObject<HTMLElement>} />
      <Radix.Portal container={landmarkOf(anchor.current)}>
        <Radix.Content
          aria-label={label}
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          onInteractOutside={(event) => {
            // The trigger closes it by its own click. What a toast undoes may be in it, and it is told of the click once
            // the toast is gone.
            const target = event.target instanceof Element ? event.target : null
            const isToast = target !== null && (!target.isConnected || target.closest('[data-toasts]') !== null)
            if (isToast || anchor.current?.contains(target)) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // What was done in it may have put the focus elsewhere.
            if (document.activeElement !== document.body) return
            anchor.current?.focus({ preventScroll: true })
          }}
          className={classNames(
            'anim-appear z-50 max-h-(--radix-popper-available-height) max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-line bg-raised p-3 shadow-mid outline-none',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
