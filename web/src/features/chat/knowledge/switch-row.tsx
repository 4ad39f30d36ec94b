import { type ReactNode, useId } from 'react'
import { Switch } from '../../../ui/switch.tsx'

/** A switch with its name and a word about what it does. */
export function SwitchRow({
  label,
  hint,
  checked,
  onChange,
}: {
  label: string
  hint: ReactNode
  checked: boolean
  onChange: (on: boolean) => void
}) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <div className="min-w-0 flex-1">
        <p id={`${id}-label`} className="text-sm font-medium">
          {label}
        </p>
        <div id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </div>
      </div>
      <Switch aria-labelledby={`${id}-label`} aria-describedby={`${id}-hint`} checked={checked} onChange={onChange} />
    </div>
  )
}
