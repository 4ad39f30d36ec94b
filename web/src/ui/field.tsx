import { createContext, type ReactNode, use, useId } from 'react'
import { classNames } from '../lib/class-names.ts'
import { useUiWords } from './words.tsx'

interface FieldParts {
  id: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
}
const FieldContext = createContext<FieldParts | null>(null)

/** Names, describes and marks the one input inside it. */
export function Field({
  label,
  hint,
  error,
  required = false,
  hideLabel,
  action,
  className,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  /** What is wrong, and how to put it right. */
  error?: ReactNode
  required?: boolean
  hideLabel?: boolean
  /** At the end of the label's line: a link such as “Forgotten?”. */
  action?: ReactNode
  className?: string
  children: ReactNode
}) {
  const id = useId()
  const words = useUiWords()
  const describedBy = classNames(Boolean(hint) && `${id}-hint`, Boolean(error) && `${id}-error`) || undefined
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1.5', className)}>
      <div className={classNames('flex items-baseline gap-2', hideLabel && 'sr-only')}>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
          {required && <span className="sr-only"> ({words.required})</span>}
        </label>
        {action && <span className="ms-auto text-sm">{action}</span>}
      </div>
      <FieldContext value={{ id, describedBy, invalid: Boolean(error), required }}>{children}</FieldContext>
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm text-danger-ink">
          {error}
        </p>
      )}
    </div>
  )
}

/** What an input takes over from the field around it. */
export function useFieldProps(): {
  id?: string
  'aria-describedby'?: string
  'aria-invalid'?: true
  'aria-required'?: true
} {
  const field = use(FieldContext)
  if (!field) return {}
  return {
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    'aria-required': field.required || undefined,
  }
}

/** The shared look of everything that is typed into. */
export const inputClasses =
  'w-full min-w-0 rounded-md border border-line-strong bg-raised px-2.5 text-base text-ink transition-colors ' +
  'hover:border-muted aria-invalid:border-danger-ink disabled:opacity-60 disabled:cursor-not-allowed ' +
  'focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:border-transparent'
