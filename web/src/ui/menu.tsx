import { Check, ChevronRight } from 'lucide-react'
import {
  cloneElement,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  Suspense,
  useId,
  useRef,
  useState,
} from 'react'
import { classNames } from '../lib/class-names.ts'
import { loadLayers } from './idle-parts.ts'
import { Kbd } from './kbd.tsx'
import { menuClasses, useMenuParts } from './menu-parts.ts'
import { joinRefs } from './refs.ts'
import { useOpen } from './use-open.ts'

const Panel = lazy(() => loadLayers().then((module) => ({ default: module.MenuPanel })))

interface TriggerProps {
  id?: string
  ref?: Ref<HTMLElement>
  onClick?: (event: MouseEvent) => void
  onKeyDown?: (event: KeyboardEvent) => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
}

/** A button with a list of actions. `trigger` is one element that takes DOM properties, an `IconButton` for instance. */
export function Menu({
  trigger,
  align = 'end',
  side,
  open: openFromOutside,
  onOpenChange,
  className,
  children,
}: {
  trigger: ReactElement
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'left' | 'right'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
  children: ReactNode
}) {
  const [open, set] = useOpen(openFromOutside, onOpenChange)
  const anchor = useRef<HTMLElement>(null)
  const ownId = useId()
  const given = trigger.props as TriggerProps
  const place = { align, side, className }
  const id = given.id ?? ownId
  return (
    <>
      {cloneElement(trigger as ReactElement<TriggerProps>, {
        id,
        ref: joinRefs(anchor, given.ref),
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onClick: (event) => {
          given.onClick?.(event)
          if (!event.defaultPrevented) set(!open)
        },
        onKeyDown: (event) => {
          given.onKeyDown?.(event)
          if (event.key !== 'ArrowDown' || open) return
          event.preventDefault()
          set(true)
        },
      })}
      {open && (
        <Suspense>
          <Panel anchor={anchor} labelledBy={id} {...place} onClose={() => set(false)}>
            {children}
          </Panel>
        </Suspense>
      )}
    </>
  )
}

interface AreaProps {
  ref?: Ref<HTMLElement>
  onContextMenu?: (event: MouseEvent) => void
  onPointerDown?: (event: PointerEvent) => void
  onPointerUp?: (event: PointerEvent) => void
  onPointerMove?: (event: PointerEvent) => void
  onPointerCancel?: (event: PointerEvent) => void
}

/** The same list on right click, long press or the menu key over `children`, one element that takes DOM properties. */
export function ContextMenu({ items, label, children }: { items: ReactNode; label: string; children: ReactElement }) {
  const [point, setPoint] = useState<{ x: number; y: number } | null>(null)
  const area = useRef<HTMLElement>(null)
  const press = useRef<ReturnType<typeof setTimeout>>(undefined)
  const anchor = useRef({ getBoundingClientRect: () => new DOMRect() })
  const given = children.props as AreaProps
  const openAt = (x: number, y: number) => {
    anchor.current = { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }
    setPoint({ x, y })
  }
  const release = () => clearTimeout(press.current)
  return (
    <>
      {cloneElement(children as ReactElement<AreaProps>, {
        ref: joinRefs(area, given.ref),
        onContextMenu: (event) => {
          given.onContextMenu?.(event)
          // Selected text and links keep the browser's own menu.
          if (event.defaultPrevented || String(getSelection()) !== '') return
          event.preventDefault()
          const box = event.currentTarget.getBoundingClientRect()
          const byKey = event.clientX === 0 && event.clientY === 0
          openAt(byKey ? box.left + 24 : event.clientX, byKey ? box.top + 24 : event.clientY)
        },
        onPointerDown: (event) => {
          given.onPointerDown?.(event)
          release()
          const { clientX, clientY } = event
          if (event.pointerType === 'touch') press.current = setTimeout(() => openAt(clientX, clientY), 600)
        },
        onPointerMove: (event) => {
          given.onPointerMove?.(event)
          if (event.pointerType === 'touch') release()
        },
        onPointerUp: (event) => {
          given.onPointerUp?.(event)
          release()
        },
        onPointerCancel: (event) => {
          given.onPointerCancel?.(event)
          release()
        },
      })}
      {point && (
        <Suspense>
          <Panel
            key={`${point.x} ${point.y}`}
            anchor={anchor}
            label={label}
            align="start"
            side="right"
            onClose={() => setPoint(null)}
          >
            {items}
          </Panel>
        </Suspense>
      )}
    </>
  )
}

export function MenuItem({
  icon,
  keys,
  danger,
  disabled,
  hint,
  onSelect,
  children,
}: {
  icon?: ReactNode
  keys?: string
  danger?: boolean
  disabled?: boolean
  /** A second, smaller line. */
  hint?: ReactNode
  onSelect: (event: Event) => void
  children: ReactNode
}) {
  const { Item } = useMenuParts()
  return (
    <Item
      disabled={disabled}
      onSelect={onSelect}
      className={classNames(row, danger && 'text-danger-ink data-highlighted:bg-danger-soft')}
    >
      <span className={classNames('grid size-4 shrink-0 place-items-center [&_svg]:size-4', !danger && 'text-muted')}>
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        {children}
        {hint && <span className="block text-xs text-muted">{hint}</span>}
      </span>
      {keys && <Kbd keys={keys} className="pointer-coarse:hidden" />}
    </Item>
  )
}

export function MenuChoice({
  value,
  onChange,
  options,
}: {
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; label: string }[]
}) {
  const { RadioGroup, RadioItem } = useMenuParts()
  return (
    <RadioGroup value={value} onValueChange={onChange}>
      {options.map((option) => (
        <RadioItem key={option.value} value={option.value} className={row}>
          <Tick />
          <span className="min-w-0 flex-1 truncate">{option.label}</span>
        </RadioItem>
      ))}
    </RadioGroup>
  )
}

export function MenuSub({ icon, label, children }: { icon?: ReactNode; label: ReactNode; children: ReactNode }) {
  const { Sub, SubTrigger, SubContent, Portal } = useMenuParts()
  const [open, setOpen] = useState(false)
  return (
    <Sub open={open} onOpenChange={setOpen}>
      <SubTrigger className={row}>
        <span className="grid size-4 shrink-0 place-items-center text-muted [&_svg]:size-4">{icon}</span>
        <span className="min-w-0 flex-1">{label}</span>
        <ChevronRight className="size-3.5 text-muted" />
      </SubTrigger>
      <Portal>
        <SubContent sideOffset={4} collisionPadding={8} className={menuClasses}>
          {children}
        </SubContent>
      </Portal>
    </Sub>
  )
}

export function MenuSeparator() {
  const { Separator } = useMenuParts()
  return <Separator className="-mx-1 my-1 h-px bg-line" />
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { Label } = useMenuParts()
  return <Label className="px-2 pt-1.5 pb-1 text-xs font-medium text-muted">{children}</Label>
}

function Tick() {
  const { ItemIndicator } = useMenuParts()
  return (
    <span className="grid size-4 shrink-0 place-items-center">
      <ItemIndicator>
        <Check className="size-4 text-accent-ink" />
      </ItemIndicator>
    </span>
  )
}

const row =
  'flex min-h-[calc(var(--row)-4px)] cursor-default items-center gap-2.5 rounded-md px-2 py-1 text-base outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover data-[state=open]:bg-hover'
