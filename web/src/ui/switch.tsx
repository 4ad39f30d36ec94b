import type { ComponentProps } from 'react'
import { classNames } from '../lib/class-names.ts'
import { useFieldProps } from './field.tsx'

/** On or off, at once. Inside a `Field` it is named by it; elsewhere give `aria-label`. */
export function Switch({
  checked,
  onChange,
  className,
  ...rest
}: { checked: boolean; onChange: (on: boolean) => void } & Omit<
  ComponentProps<'input'>,
  'onChange' | 'checked' | 'type'
>) {
  const field = useFieldProps()
  return (
    <span className={classNames('hit relative inline-flex h-5 w-9 shrink-0', className)}>
      <input
        {...field}
        {...rest}
        type="checkbox"
        role="switch"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="peer absolute inset-0 z-1 m-0 size-full cursor-pointer appearance-none rounded-full border border-line-strong bg-sunken transition-colors checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:opacity-55 forced-colors:appearance-auto"
      />
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 start-[3px] z-2 my-auto size-3.5 rounded-full bg-line-strong transition-[translate,background-color] peer-checked:translate-x-4 peer-checked:bg-on-accent rtl:peer-checked:-translate-x-4 forced-colors:hidden"
      />
    </span>
  )
}
