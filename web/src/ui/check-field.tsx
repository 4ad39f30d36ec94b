import { type ReactNode, useId } from 'react'
import { Checkbox } from './checkbox.tsx'

/** One that can be ticked, with its words beside it. */
export function CheckField({
  label,
  hint,
  checked,
  disabled,
  onChange,
}: {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (on: boolean) => void
}) {
  const id = useId()
  return (
    <div>
      <label className="inline-flex items-start gap-2.5">
        <Checkbox
          className="mt-1"
          checked={checked}
          disabled={disabled}
          onChange={onChange}
          aria-describedby={hint ? `${id}-hint` : undefined}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={`${id}-hint`} className="mt-0.5 ps-6.5 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
