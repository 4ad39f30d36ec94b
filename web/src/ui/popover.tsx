import {
  cloneElement,
  lazy,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  Suspense,
  useRef,
} from 'react'
import { WindowComing } from './early-keys.tsx'
import { loadLayers } from './idle-parts.ts'
import { joinRefs } from './refs.ts'
import { useOpen } from './use-open.ts'

const Panel = lazy(() => loadLayers().then((module) => ({ default: module.PopoverPanel })))

interface TriggerProps {
  ref?: Ref<HTMLElement>
  onClick?: (event: MouseEvent) => void
  'aria-haspopup'?: 'dialog'
  'aria-expanded'?: boolean
}

/** A small panel tied to its trigger, for more than a list of actions. */
export function Popover({
  trigger,
  label,
  open: openFromOutside,
  onOpenChange,
  align = 'start',
  side,
  className,
  children,
}: {
  /** One element that takes DOM properties, an `IconButton` for instance. */
  trigger: ReactElement
  /** Its name for screen readers. */
  label: string
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'left' | 'right'
  className?: string
  children: ReactNode
}) {
  const [open, set] = useOpen(openFromOutside, onOpenChange)
  const anchor = useRef<HTMLElement>(null)
  const given = trigger.props as TriggerProps
  const place = { align, side, className }
  return (
    <>
      {cloneElement(trigger as ReactElement<TriggerProps>, {
        ref: joinRefs(anchor, given.ref),
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        onClick: (event) => {
          given.onClick?.(event)
          if (!event.defaultPrevented) set(!open)
        },
      })}
      {open && (
        <Suspense fallback={<WindowComing onClose={() => set(false)} />}>
          <Panel anchor={anchor} label={label} {...place} onClose={() => set(false)}>
            {children}
          </Panel>
        </Suspense>
      )}
    </>
  )
}
