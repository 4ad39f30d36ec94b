import { Check, ChevronRight } from 'lucide-react'
import { ContextMenu as Context, DropdownMenu as Drop } from 'radix-ui'
import { createContext, type ReactNode, use } from 'react'
import { cx } from '../lib/cx.ts'
import { Kbd } from './kbd.tsx'

// Both kinds have the same parts, so that one list of items serves the button and the right click.
type Parts = Pick<
  typeof Drop,
  | 'Item'
  | 'CheckboxItem'
  | 'RadioGroup'
  | 'RadioItem'
  | 'Separator'
  | 'Label'
  | 'Sub'
  | 'SubTrigger'
  | 'SubContent'
  | 'Portal'
  | 'ItemIndicator'
>
const PartsContext = createContext<Parts>(Drop)

/** A button with a list of actions. `trigger` is one focusable element, an `IconButton` for instance. */
export function Menu({
  trigger,
  align = 'end',
  side,
  open,
  onOpenChange,
  className,
  children,
}: {
  trigger: ReactNode
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'left' | 'right'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
  children: ReactNode
}) {
  return (
    <Drop.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Drop.Trigger asChild>{trigger}</Drop.Trigger>
      <Drop.Portal>
        <Drop.Content align={align} side={side} sideOffset={4} collisionPadding={8} className={cx(panel, className)}>
          <PartsContext value={Drop}>{children}</PartsContext>
        </Drop.Content>
      </Drop.Portal>
    </Drop.Root>
  )
}

/** The same list on right click, long press or the menu key over `children`. */
export function ContextMenu({ items, children }: { items: ReactNode; children: ReactNode }) {
  return (
    <Context.Root modal={false}>
      <Context.Trigger asChild>{children}</Context.Trigger>
      <Context.Portal>
        <Context.Content collisionPadding={8} className={panel}>
          <PartsContext value={Context as unknown as Parts}>{items}</PartsContext>
        </Context.Content>
      </Context.Portal>
    </Context.Root>
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
  const { Item } = use(PartsContext)
  return (
    <Item
      disabled={disabled}
      onSelect={onSelect}
      className={cx(row, danger && 'text-danger-ink data-highlighted:bg-danger-soft')}
    >
      <span className={cx('grid size-4 shrink-0 place-items-center [&_svg]:size-4', !danger && 'text-muted')}>
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        {children}
        {hint && <span className="block text-xs text-muted">{hint}</span>}
      </span>
      {keys && <Kbd keys={keys} />}
    </Item>
  )
}

export function MenuCheck({
  checked,
  onChange,
  disabled,
  children,
}: {
  checked: boolean
  onChange: (on: boolean) => void
  disabled?: boolean
  children: ReactNode
}) {
  const { CheckboxItem, ItemIndicator } = use(PartsContext)
  return (
    <CheckboxItem checked={checked} onCheckedChange={onChange} disabled={disabled} className={row}>
      <span className="grid size-4 shrink-0 place-items-center">
        <ItemIndicator>
          <Check className="size-4 text-accent-ink" />
        </ItemIndicator>
      </span>
      <span className="min-w-0 flex-1">{children}</span>
    </CheckboxItem>
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
  const { RadioGroup, RadioItem, ItemIndicator } = use(PartsContext)
  return (
    <RadioGroup value={value} onValueChange={onChange}>
      {options.map((option) => (
        <RadioItem key={option.value} value={option.value} className={row}>
          <span className="grid size-4 shrink-0 place-items-center">
            <ItemIndicator>
              <Check className="size-4 text-accent-ink" />
            </ItemIndicator>
          </span>
          <span className="min-w-0 flex-1 truncate">{option.label}</span>
        </RadioItem>
      ))}
    </RadioGroup>
  )
}

export function MenuSub({ icon, label, children }: { icon?: ReactNode; label: ReactNode; children: ReactNode }) {
  const { Sub, SubTrigger, SubContent, Portal } = use(PartsContext)
  return (
    <Sub>
      <SubTrigger className={row}>
        <span className="grid size-4 shrink-0 place-items-center text-muted [&_svg]:size-4">{icon}</span>
        <span className="min-w-0 flex-1">{label}</span>
        <ChevronRight className="size-3.5 text-muted rtl:-scale-x-100" />
      </SubTrigger>
      <Portal>
        <SubContent sideOffset={4} collisionPadding={8} className={panel}>
          {children}
        </SubContent>
      </Portal>
    </Sub>
  )
}

export function MenuSeparator() {
  const { Separator } = use(PartsContext)
  return <Separator className="-mx-1 my-1 h-px bg-line" />
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { Label } = use(PartsContext)
  return <Label className="px-2 pt-1.5 pb-1 text-xs font-medium text-muted">{children}</Label>
}

const panel =
  'anim-appear z-50 max-h-[min(var(--radix-popper-available-height),30rem)] min-w-48 max-w-80 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-mid'
const row =
  'flex min-h-[calc(var(--row)-4px)] items-center gap-2.5 rounded-md px-2 py-1 text-base outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover data-[state=open]:bg-hover'
