import type { ComponentProps } from 'react'
import { classNames } from '../lib/class-names.ts'

/** One that can be ticked among several. Give `aria-label`, or put it in a `label`. */
export function Checkbox({
  onChange,
  className,
  ...rest
}: { onChange: (on: boolean) => void } & Omit<ComponentProps<'input'>, 'onChange' | 'type'>) {
  return (
    <input
      {...rest}
      type="checkbox"
      onChange={(event) => onChange(event.target.checked)}
      className={classNames(
        'size-4 shrink-0 cursor-pointer align-middle accent-accent pointer-coarse:size-5 disabled:cursor-not-allowed',
        className,
      )}
    />
  )
}
