import type { ComponentProps } from 'react'
import { classNames } from '../lib/class-names.ts'
import { inputClasses, useFieldProps } from './field.tsx'

export interface Option<V extends string = string> {
  value: V
  label: string
  disabled?: boolean
}

/** One of a few, chosen from the system's own list. Inside a `Field` it is named by it; elsewhere give `aria-label`. */
export function Select<V extends string>({
  value,
  onChange,
  options,
  className,
  ...rest
}: { value: V; onChange: (value: V) => void; options: readonly Option<V>[] } & Omit<
  ComponentProps<'select'>,
  'value' | 'onChange'
>) {
  const field = useFieldProps()
  return (
    <span className={classNames('relative inline-block min-w-0', className)}>
      <select
        {...field}
        {...rest}
        value={value}
        onChange={(event) => onChange(event.target.value as V)}
        className={classNames(inputClasses, 'h-control appearance-none truncate pe-8')}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <svg
        viewBox="0 0 16 16"
        aria-hidden
        className="pointer-events-none absolute inset-y-0 end-2.5 my-auto size-3.5 text-muted"
      >
        <path d="m4 6 4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      </svg>
    </span>
  )
}
