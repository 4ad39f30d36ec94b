import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from 'react'
import { classNames } from '../lib/class-names.ts'
import { inputClasses, useFieldProps } from './field.tsx'

export interface InputProps extends ComponentProps<'input'> {
  /** Inside, before the text. */
  icon?: ReactNode
  /** Inside, after the text: a small button, a unit. */
  end?: ReactNode
}

/** One line of text. Inside a `Field` it is named and described by it; elsewhere give `aria-label`. */
export function Input({ icon, end, className, ...rest }: InputProps) {
  const field = useFieldProps()
  // What is typed may turn the field round, and what stands inside it stays where it is.
  const turns = rest.dir === 'auto'
  const input = (
    <input
      {...field}
      {...rest}
      className={classNames(
        inputClasses,
        'h-control',
        turns && end ? 'ps-9' : Boolean(icon) && 'ps-8',
        end ? 'pe-9' : turns && Boolean(icon) && 'pe-8',
        !(icon || end) && className,
      )}
    />
  )
  if (!icon && !end) return input
  return (
    <span dir={rest.dir === 'ltr' ? 'ltr' : undefined} className={classNames('relative block w-full', className)}>
      {icon && (
        <span className="pointer-events-none absolute inset-y-0 start-0 grid w-8 place-items-center text-muted [&_svg]:size-4">
          {icon}
        </span>
      )}
      {input}
      {end && <span className="absolute inset-y-0 end-0 flex items-center pe-1 text-sm text-muted">{end}</span>}
    </span>
  )
}

export interface TextAreaProps extends ComponentProps<'textarea'> {
  /** Grows with its text up to so many lines. */
  maxRows?: number
}

/** Several lines of text. */
export function TextArea({ maxRows = 12, rows = 3, className, ref, ...rest }: TextAreaProps) {
  const field = useFieldProps()
  const own = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const area = own.current
    // Newer browsers grow the field by themselves.
    if (!area || CSS.supports('field-sizing', 'content')) return
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight + 2}px`
  }, [rest.value])
  return (
    <textarea
      {...field}
      {...rest}
      rows={rows}
      ref={(node) => {
        own.current = node
        if (typeof ref === 'function') return ref(node)
        if (ref) ref.current = node
      }}
      style={{ minHeight: `${rows * 1.375 + 1}rem`, maxHeight: `${maxRows * 1.375 + 1}rem`, ...rest.style }}
      className={classNames(inputClasses, 'field-sizing-content resize-y py-2', className)}
    />
  )
}
