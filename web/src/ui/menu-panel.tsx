import { Menu as Radix } from 'radix-ui/internal'
import type { RefObject } from 'react'
import { classNames } from '../lib/class-names.ts'
import { landmarkOf } from './landmark.ts'
import { MenuParts, menuClasses } from './menu-parts.ts'
import type { PanelProps } from './panel-props.ts'

interface Measured {
  getBoundingClientRect: () => DOMRect
}

interface MenuPanelProps extends PanelProps {
  anchor: RefObject<Measured | HTMLElement | null>
  labelledBy?: string
  label?: string
}

/** The open list of a menu, tied to what it was opened from. Loaded when first needed. */
export function MenuPanel({ anchor, labelledBy, label, align, side, onClose, className, children }: MenuPanelProps) {
  const fromAnchor = (target: EventTarget | null) =>
    anchor.current instanceof Node && target instanceof Node && anchor.current.contains(target)
  return (
    <Radix.Root
      open
      dir={document.dir === 'rtl' ? 'rtl' : 'ltr'}
      onOpenChange={(open) => open || onClose()}
      modal={false}
    >
      <Radix.Anchor virtualRef={anchor as RefObject<Measured>} />
      <Radix.Portal container={landmarkOf(anchor.current)}>
        <Radix.Content
          aria-labelledby={labelledBy}
          aria-label={label}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={classNames(menuClasses, className)}
          onInteractOutside={(event) => {
            // The trigger closes it by its own click.
            if (fromAnchor(event.target)) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // What was chosen may have put the focus elsewhere.
            if (document.activeElement !== document.body) return
            if (anchor.current instanceof HTMLElement) anchor.current.focus({ preventScroll: true })
          }}
        >
          <MenuParts value={Radix}>{children}</MenuParts>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
