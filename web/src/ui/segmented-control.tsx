import { type ReactNode, useId } from 'react'
import { classNames } from '../lib/class-names.ts'

export interface Segment<V extends string> {
  value: V
  label: string
  icon?: ReactNode
}

/** One of two to five, all in sight. */
export function SegmentedControl<V extends string>({
  label,
  value,
  onChange,
  options,
  disabled,
  className,
}: {
  label: string
  value: V
  onChange: (value: V) => void
  options: readonly Segment<V>[]
  disabled?: boolean
  className?: string
}) {
  const name = useId()
  return (
    <fieldset
      disabled={disabled}
      className={classNames(
        'inline-flex max-w-full flex-wrap gap-0.5 rounded-md border border-line bg-sunken p-0.5',
        options.length > 3 && 'max-tab:flex max-tab:w-full max-tab:*:flex-auto max-tab:*:justify-center max-tab:*:px-2',
        className,
      )}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames(
            'relative flex h-[calc(var(--control)-6px)] items-center gap-1.5 rounded-[5px] px-3 text-sm font-medium whitespace-nowrap',
            'has-focus-visible:outline-2 has-focus-visible:outline-ring has-checked:bg-raised has-checked:text-ink has-checked:shadow-low',
            'text-muted hover:text-ink has-checked:ring-1 has-checked:ring-line-strong has-disabled:opacity-55 [&_svg]:size-4',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-[5px] outline-none!"
          />
          {option.icon}
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
