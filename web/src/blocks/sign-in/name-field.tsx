import type { ReactNode } from 'react'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { useText } from 'virtual:words/sign-in'

/** By which name somebody signs in. */
export function NameField({
  label,
  hint,
  error,
  maxLength = 64,
  autoComplete = 'username',
  autoFocus = true,
  value,
  onChange,
}: {
  /** Where more than the user name is taken. */
  label?: string
  hint?: ReactNode
  error?: ReactNode
  maxLength?: number
  autoComplete?: string
  autoFocus?: boolean
  value: string
  onChange: (name: string) => void
}) {
  const t = useText('sign-in')
  return (
    <Field label={label ?? t('username')} hint={hint} error={error}>
      <Input
        name="username"
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
        required
        maxLength={maxLength}
        autoFocus={autoFocus}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
